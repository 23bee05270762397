import Glibc
import PermBroker

/// What decides whether `permtui request` may ask on the terminal that it was started from, as it was at one moment.
struct TerminalSnapshot: Hashable, Sendable {
  /// The group that has standard input's terminal; `nil` where that is not the terminal of this session. A group
  /// outside of this process's namespace is 0.
  var inputGroup: pid_t?
  /// The same for standard error, where the question would be written.
  var messageGroup: pid_t?
  /// The group of this process.
  var ownGroup: pid_t
  /// Whether the session belongs to another mount namespace: the terminal was handed into a sandbox.
  var isSandboxed = false
  /// Whether the person wants nothing to be asked there.
  var isForbidden = false

  enum Place: Hashable, Sendable {
    /// It may ask now.
    case here
    /// It may ask once it is in the foreground.
    case inForeground
    /// It may not ask there.
    case elsewhere

    /// How long a request waits that does not say; `nil` for without limit, as somebody is there to see it.
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
  /// What holds now for this process.
  init(isForbidden: Bool) {
    let inputGroup = Self.group(of: STDIN_FILENO)
    self.init(
      inputGroup: inputGroup, messageGroup: Self.group(of: STDERR_FILENO), ownGroup: getpgrp(),
      isSandboxed: inputGroup != nil && Self.isSessionElsewhere, isForbidden: isForbidden)
  }

  /// The group that has a terminal. The kernel tells it of no other terminal than the session's own, so nothing that was
  /// redirected has one.
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
