import CNcurses
import Glibc
import Machine

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

// MARK: - Another program on the terminal

extension Signals {
  /// Runs another program on a terminal, and returns its status when it has ended.
  ///
  /// The program shares the process group, so that ^Z stops both, and the shell continues both. No signal is blocked or
  /// ignored in it. It writes its errors to the output, too.
  static func runInFront(_ arguments: [String], input: Int32, output: Int32) throws(SystemError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    var attributes = attributesWithUsualSignals()
    defer { posix_spawnattr_destroy(&attributes) }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, arguments[0], &actions, &attributes, &words, environ)
    guard failure == 0 else { throw SystemError("posix_spawn", arguments[0], code: failure) }
    return waitForEnd(of: process)
  }

  private static func attributesWithUsualSignals() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    return attributes
  }

  /// Waits until a process has ended, and returns its status. If the process is stopped meanwhile, this one stops, too.
  private static func waitForEnd(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while true {
      let found = waitpid(process, &status, WUNTRACED)
      if found < 0, errno == EINTR { continue }
      guard found == process, status & 0xff == 0x7f else { return status }
      stop(wholeGroup: true)
      kill(process, SIGCONT)
    }
  }
}
