import Machine

/// A kind of namespace in which a process may be apart from others.
package enum Namespace: String, Hashable, Sendable, CaseIterable {
  case mount, user, process

  private var file: String {
    switch self {
    case .mount: "mnt"
    case .user: "user"
    case .process: "pid"
    }
  }

  /// The namespace of a process, as the kernel writes it; `nil` if it cannot be read.
  private func text(of process: String) -> String? { Paths.target(ofLink: "/proc/\(process)/ns/\(file)") }

  /// Whether the kernel shows where a process is. It hides that of the system's own processes, and of those that
  /// guard secrets, such as the part of sshd that forwards a socket.
  static func canRead(_ process: Int32) -> Bool { mount.text(of: String(process)) != nil }

  /// The first namespace of a process that is not this process's own; `nil` also where the kernel hides it, except that
  /// it always shows whether a process is in a process namespace below this one.
  static func foreign(of process: Int32) -> Namespace? {
    guard canRead(process) else { return isBelow(process) ? .process : nil }
    return allCases.first { $0.text(of: String(process)) != $0.text(of: "self") }
  }

  /// A process in a namespace below has a number in each of them.
  private static func isBelow(_ process: Int32) -> Bool {
    guard let status = try? Files.bytes(of: "/proc/\(process)/status", limit: 8192) else { return true }
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("NSpid:") }
    return line.map { $0.split(whereSeparator: \.isWhitespace).count > 2 } ?? false
  }
}
