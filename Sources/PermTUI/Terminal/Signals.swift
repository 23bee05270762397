import CNcurses
import Glibc

/// The signals that a program with a screen handles, delivered through a descriptor that can be polled.
///
/// The signals are blocked in the thread that creates this object and in all threads that are started later.
/// Create the object before anything starts a thread. Otherwise, a thread that does not block the signals could
/// receive one, which would end the program without closing the screen.
final class Signals: Sendable {
  let descriptor: Int32
  private let previous: sigset_t

  /// - Parameter numbers: The signals to handle; by default those that concern a program with a screen.
  init(_ numbers: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP, SIGQUIT]) {
    var set = Self.set(of: numbers)
    var previous = sigset_t()
    pthread_sigmask(SIG_BLOCK, &set, &previous)
    self.previous = previous
    descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
    // If the reader of a pipe goes away, writing must fail instead of ending this process.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    close(descriptor)
    var mask = previous
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  /// Ignores the hang-up signal. The loop calls this when the end of input shows that the terminal is gone, because
  /// the signal might arrive after the loop has stopped handling signals.
  static func ignoreHangUp() { signal(SIGHUP, SIG_IGN) }

  /// Returns the signals that have arrived since the last call.
  func take() -> [Int32] {
    var result: [Int32] = []
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while read(descriptor, &info, size) == size { result.append(Int32(info.ssi_signo)) }
    return result
  }

  /// Ends this process with a signal, as if this process did not handle that signal.
  static func end(by number: Int32) -> Never {
    Glibc.signal(number, SIG_DFL)
    var set = set(of: [number])
    kill(getpid(), number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    exit(128 + number)
  }

  /// Stops this process or its whole group, and returns when the process is continued. If no shell can continue the
  /// group, the group does not stop, and this function returns immediately.
  static func stop(wholeGroup: Bool) {
    var ours = sigaction()
    var standard = sigaction()
    standard.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(SIGTSTP, &standard, &ours)
    kill(wholeGroup ? 0 : getpid(), SIGTSTP)
    var set = set(of: [SIGTSTP])
    var mask = sigset_t()
    // The signal stays pending until this call unblocks it. The process stops inside the call.
    pthread_sigmask(SIG_UNBLOCK, &set, &mask)
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    sigaction(SIGTSTP, &ours, nil)
    // The caller takes the terminal back without waiting for a signal. The signal that continued the process is
    // discarded, because it would otherwise make the caller take the terminal back twice.
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
