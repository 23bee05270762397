import CNcurses
import Glibc

/// The signals that a program with a screen handles, as a descriptor to poll.
///
/// They are blocked in the thread that creates this and in all threads started later, so create it before anything that
/// starts threads: an unblocked thread would receive the signal, and end the program with the screen still up.
final class Signals: Sendable {
  let descriptor: Int32
  private let previous: sigset_t

  /// - Parameter numbers: The signals to handle; by default those of a screen.
  init(_ numbers: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP, SIGQUIT]) {
    var set = Self.set(of: numbers)
    var previous = sigset_t()
    pthread_sigmask(SIG_BLOCK, &set, &previous)
    self.previous = previous
    descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
    // If a reader goes away, the write must fail, but this process must not end.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    close(descriptor)
    var mask = previous
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  /// Ignores the hang-up signal after the end of input has already shown that the terminal is gone: the signal may come
  /// later, when it is no longer awaited.
  static func ignoreHangUp() { signal(SIGHUP, SIG_IGN) }

  /// Returns the signals that have arrived since the last call.
  func take() -> [Int32] {
    var result: [Int32] = []
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while read(descriptor, &info, size) == size { result.append(Int32(info.ssi_signo)) }
    return result
  }

  /// Ends this process by a signal that was handled, as it would have ended without the handling.
  static func end(by number: Int32) -> Never {
    Glibc.signal(number, SIG_DFL)
    var set = set(of: [number])
    kill(getpid(), number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    exit(128 + number)
  }

  /// Stops this process, or its group, and returns when it is continued. A group without a shell that could continue it
  /// does not stop; then this returns at once.
  static func stop(wholeGroup: Bool) {
    var ours = sigaction()
    var standard = sigaction()
    standard.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(SIGTSTP, &standard, &ours)
    kill(wholeGroup ? 0 : getpid(), SIGTSTP)
    var set = set(of: [SIGTSTP])
    var mask = sigset_t()
    // The signal is pending until it is unblocked here; the process stops inside this call.
    pthread_sigmask(SIG_UNBLOCK, &set, &mask)
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    sigaction(SIGTSTP, &ours, nil)
    // The caller resumes by itself; the signal that continued the process would only make it resume twice.
    var continued = Self.set(of: [SIGCONT])
    var now = timespec()
    sigtimedwait(&continued, nil, &now)
  }

  private static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
