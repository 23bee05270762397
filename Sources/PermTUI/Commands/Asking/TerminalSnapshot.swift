import Glibc
import Machine
import PermBroker

/// The state of the terminal and of this process at one point in time. It decides whether `permtui request`
/// is allowed to ask on the terminal from which it was started.
struct TerminalSnapshot: Hashable, Sendable {
  /// The foreground process group of the terminal at standard input; `nil` if standard input is not the
  /// terminal of this session. The kernel reports a group outside this process's PID namespace as 0.
  var inputGroup: pid_t?
  /// The foreground process group of the terminal at standard error, to which the question would be written.
  /// It has the same special values as ``inputGroup``.
  var messageGroup: pid_t?
  /// The process group of this process.
  var ownGroup: pid_t
  /// Whether the session's leader is in another mount namespace, which means that the terminal was passed
  /// into a sandbox.
  var isSandboxed = false
  /// Whether the person has forbidden asking on this terminal.
  var isForbidden = false

  enum Place: Hashable, Sendable {
    /// The program is allowed to ask now.
    case here
    /// The program is allowed to ask once it is in the foreground.
    case inForeground
    /// The program is not allowed to ask on this terminal.
    case elsewhere

    /// The time for which a request waits if it names no limit; `nil` to wait forever. A question that can be asked now
    /// waits forever, because somebody is there to see it.
    var patience: Duration? { self == .here ? nil : .seconds(60) }
  }

  var place: Place {
    guard !isForbidden, !isSandboxed, let inputGroup, inputGroup == messageGroup, inputGroup > 0 else {
      return .elsewhere
    }
    return inputGroup == ownGroup ? .here : .inForeground
  }
}

extension TerminalSnapshot {
  /// Captures the present state of this process and its terminal.
  init(isForbidden: Bool) {
    let inputGroup = Self.group(of: STDIN_FILENO)
    self.init(
      inputGroup: inputGroup, messageGroup: Self.group(of: STDERR_FILENO), ownGroup: getpgrp(),
      isSandboxed: inputGroup != nil && Self.isSessionElsewhere, isForbidden: isForbidden)
  }

  /// Returns the foreground process group of a terminal. The kernel reports the group only for the session's
  /// own terminal, so the result for a redirected stream is `nil`.
  private static func group(of descriptor: Int32) -> pid_t? {
    let group = tcgetpgrp(descriptor)
    return group < 0 ? nil : group
  }

  private static var isSessionElsewhere: Bool {
    let processes = LinuxProcessTable()
    guard let leader = processes.process(getsid(0))?.mountNamespace else { return false }
    return leader != processes.mountNamespace
  }
}

/// The turn to ask on a terminal, held as long as this object lives. All programs of a pipeline are in the
/// foreground, and a typed word could answer any of them. Therefore they ask one at a time.
final class TerminalLock {
  private let lock: FileLock

  /// Takes the turn on the terminal at standard input; `nil` if another program has the turn.
  init?() {
    guard let lock = FileLock(terminalOf: StandardStream.input, .alone) else { return nil }
    self.lock = lock
  }

  /// Waits until no other program has the turn. Returns `false` if the task was cancelled first.
  static func waitUntilFree() async -> Bool {
    let (frees, free) = AsyncStream.makeStream(of: Void.self)
    // Waiting for a file lock blocks the thread, so a separate thread waits. If the task is cancelled, that thread
    // stays until it gets the lock, and then releases the lock immediately.
    BlockingThread.start {
      _ = FileLock(terminalOf: StandardStream.input, .aloneInTurn)
      free.yield()
    }
    for await _ in frees { return true }
    return false
  }
}
