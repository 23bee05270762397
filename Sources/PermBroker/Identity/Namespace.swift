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
  private func text(of process: String) -> String? { readLink("/proc/\(process)/ns/\(file)") }

  /// The first namespace of a process that is not this process's own, or that cannot be read.
  static func foreign(of process: Int32) -> Namespace? {
    allCases.first { kind in
      let its = kind.text(of: String(process))
      return its == nil || its != kind.text(of: "self")
    }
  }
}
