import Machine

/// A kind of namespace that can separate a process from others.
package enum Namespace: String, Hashable, Sendable, CaseIterable {
  case mount, user, process

  private var file: String {
    switch self {
    case .mount: "mnt"
    case .user: "user"
    case .process: "pid"
    }
  }

  /// Returns the namespace of a process in the kernel's notation, for example `mnt:[4026531841]`; `nil` if it
  /// cannot be read.
  func text(of process: String) -> String? { Paths.target(ofLink: "/proc/\(process)/ns/\(file)") }

  /// Whether the kernel lets this process read another process's namespaces. The kernel hides the namespaces of the
  /// system's own processes and of processes that guard secrets, such as the part of sshd that forwards a socket.
  static func canRead(_ process: Int32) -> Bool { mount.text(of: String(process)) != nil }

  /// Returns the first kind of namespace in which a process differs from this process. Returns `nil` if all
  /// are the same.
  ///
  /// If the kernel hides the process's namespaces, only one difference can still be recognized: whether the process is
  /// in a PID namespace nested inside this process's own.
  static func foreign(of process: Int32) -> Namespace? {
    guard canRead(process) else { return isBelow(process) ? .process : nil }
    return allCases.first { $0.text(of: String(process)) != $0.text(of: "self") }
  }

  /// Whether a process is in a PID namespace nested inside this process's own. Such a process has a PID in each of
  /// the nested namespaces, and the kernel lists all these PIDs.
  private static func isBelow(_ process: Int32) -> Bool {
    guard let status = try? Files.bytes(of: "/proc/\(process)/status", limit: 8192) else { return true }
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("NSpid:") }
    return line.map { $0.split(whereSeparator: \.isWhitespace).count > 2 } ?? false
  }
}
