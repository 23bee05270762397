import Machine

/// A kind of namespace in which a process may be separated from others.
package enum Namespace: String, Hashable, Sendable, CaseIterable {
  case mount, user, process

  private var file: String {
    switch self {
    case .mount: "mnt"
    case .user: "user"
    case .process: "pid"
    }
  }

  /// Returns the namespace of a process, as the kernel writes it; `nil` if it cannot be read.
  func text(of process: String) -> String? { Paths.target(ofLink: "/proc/\(process)/ns/\(file)") }

  /// Whether the kernel shows a process's namespaces. It hides those of the system's own processes, and of processes
  /// that guard secrets, such as the part of sshd that forwards a socket.
  static func canRead(_ process: Int32) -> Bool { mount.text(of: String(process)) != nil }

  /// Returns the first namespace of a process that differs from this process's; `nil` also if the kernel hides them,
  /// although it always shows whether a process is in a PID namespace below this one.
  static func foreign(of process: Int32) -> Namespace? {
    guard canRead(process) else { return isBelow(process) ? .process : nil }
    return allCases.first { $0.text(of: String(process)) != $0.text(of: "self") }
  }

  /// Whether a process is in a namespace below: such a process has a number in each of them.
  private static func isBelow(_ process: Int32) -> Bool {
    guard let status = try? Files.bytes(of: "/proc/\(process)/status", limit: 8192) else { return true }
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("NSpid:") }
    return line.map { $0.split(whereSeparator: \.isWhitespace).count > 2 } ?? false
  }
}
