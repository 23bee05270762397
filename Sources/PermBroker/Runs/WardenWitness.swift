import Machine
import PermModel

/// A witness that inspects wardens and their runs. About processes behind walls it reads only what the kernel itself says:
/// their parents and when they began.
struct WardenWitness: Sendable {
  /// Returns the identity of a process; `nil` if it is gone.
  var identity: @Sendable (Int32) -> ProcessIdentity? = Self.identity
  /// Whether a process runs the program `permtui-run`.
  var isWarden: @Sendable (Int32) -> Bool = Self.isWarden
  /// Whether a process was started by another one, or by a descendant of it.
  var descends: @Sendable (ProcessIdentity, _ from: ProcessIdentity) -> Bool = Self.descends
}

extension WardenWitness {
  static let program = "permtui-run"

  private static func identity(of pid: Int32) -> ProcessIdentity? {
    ProcessStat(of: pid).map { ProcessIdentity(pid: pid, startTime: $0.startTime) }
  }

  /// The file must be one that only root can write, or lie in the folder of this very program.
  private static func isWarden(_ pid: Int32) -> Bool {
    guard let path = Paths.target(ofLink: "/proc/\(pid)/exe"), path.lastPathPart == program else {
      return false
    }
    let own = Paths.target(ofLink: "/proc/self/exe")
    return ProtectedFile.isProtected(path) || own?.folderOfPath == path.folderOfPath
  }

  private static let longestLineage = 8

  private static func descends(_ first: ProcessIdentity, from warden: ProcessIdentity) -> Bool {
    var child = first
    for _ in 0..<longestLineage {
      guard let stat = ProcessStat(of: child.pid), stat.startTime == child.startTime,
        let parent = identity(of: stat.parent), parent.startTime <= child.startTime
      else { return false }
      if parent == warden { return true }
      child = parent
    }
    return false
  }
}
