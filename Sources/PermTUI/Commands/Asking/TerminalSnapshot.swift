import Glibc
import Machine
import PermBroker

/// The state, at one moment, that decides whether `permtui request` may ask on the terminal it was started from.
struct TerminalSnapshot: Hashable, Sendable {
  /// The foreground process group of standard input's terminal; `nil` if that is not the terminal of this session. A
  /// group outside this process's namespace is 0.
  var inputGroup: pid_t?
  /// The same for standard error, to which the question would be written.
  var messageGroup: pid_t?
  /// The process group of this process.
  var ownGroup: pid_t
  /// Whether the session belongs to another mount namespace: the terminal was passed into a sandbox.
  var isSandboxed = false
  /// Whether the person has forbidden asking there.
  var isForbidden = false

  enum Place: Hashable, Sendable {
    /// It may ask now.
    case here
    /// It may ask once it is in the foreground.
    case inForeground
    /// It may not ask there.
    case elsewhere

    /// How long a request waits if it names no limit; `nil` to wait forever, because somebody is there to see it.
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
  /// Takes the present state of this process.
  init(isForbidden: Bool) {
    let inputGroup = Self.group(of: STDIN_FILENO)
    self.init(
      inputGroup: inputGroup, messageGroup: Self.group(of: STDERR_FILENO), ownGroup: getpgrp(),
      isSandboxed: inputGroup != nil && Self.isSessionElsewhere, isForbidden: isForbidden)
  }

  /// Returns the foreground process group of a terminal. The kernel reports it only for the session's own terminal, so
  /// a redirected stream has none.
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

/// The turn to ask on a terminal, held as long as this object lives. All programs of a pipeline are in the foreground,
/// and a typed word could answer any of them; so they ask one at a time.
final class TerminalTurn {
  private let lock: FileLock

  /// Takes the turn on standard input's terminal; `nil` if another program has it.
  init?() {
    guard let lock = FileLock(terminalOf: StandardStream.input, .alone) else { return nil }
    self.lock = lock
  }

  /// Waits until no other program has the turn; `false` if the task was cancelled first.
  static func waitUntilFree() async -> Bool {
    let (frees, free) = AsyncStream.makeStream(of: Void.self)
    // Only a thread can wait for a file lock. After a cancelled wait, it releases the lock as soon as it gets it.
    BlockingThread.start {
      _ = FileLock(terminalOf: StandardStream.input, .aloneInTurn)
      free.yield()
    }
    for await _ in frees { return true }
    return false
  }
}
