import Machine
import PermModel

// The processes behind the walls, as far as the kernel itself tells. Everything else could wait for the warden.
extension WalledProcess {
  /// Returns the process of a thread behind the walls; `nil` if it is gone.
  init?(thread: Int32) {
    guard let process = ThreadStatus(thread)?.process, let stat = ProcessStat(of: process) else { return nil }
    self.init(
      name: stat.name.isEmpty ? "?" : stat.name,
      process: ProcessIdentity(pid: process, startTime: stat.startTime))
  }

  /// Whether the process was started by the run's program, or by what that has started.
  var isBelowProgram: Bool {
    var child = process
    for _ in 0..<256 {
      guard let stat = ProcessStat(of: child.pid), stat.startTime == child.startTime,
        let parent = ProcessStat(of: stat.parent), parent.startTime <= child.startTime
      else { return false }
      if ThreadStatus(stat.parent)?.isProgram == true { return true }
      child = ProcessIdentity(pid: stat.parent, startTime: parent.startTime)
    }
    return false
  }
}

/// The lines of the kernel about a thread.
private struct ThreadStatus {
  private let lines: [Substring]

  init?(_ thread: Int32) {
    guard let status = try? Files.bytes(ofProcess: "/proc/\(thread)/status", limit: 4096) else { return nil }
    lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
  }

  /// The process to which the thread belongs.
  var process: Int32? { words("Tgid:").last.flatMap { Int32($0) } }

  /// Whether this is the run's program: the first process that the first one has started.
  var isProgram: Bool {
    let numbers = words("NSpid:")
    return numbers.count > 1 && numbers.last == "2"
  }

  private func words(_ name: String) -> [Substring] {
    lines.first { $0.hasPrefix(name) }?.split(separator: "\t").dropFirst().map { $0 } ?? []
  }
}
