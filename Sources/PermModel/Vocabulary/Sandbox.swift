/// A mount namespace other than ours, distinguished from all others of this boot.
///
/// The kernel reuses the number of a namespace that is gone, so its outermost process is part of its identity. A
/// decision about a program in a sandbox ends with that process.
package struct Sandbox: Hashable, Sendable, Codable {
  /// The number of the mount namespace.
  package var namespace: UInt64
  /// The outermost process that was seen in it.
  package var process: ProcessIdentity

  package init(namespace: UInt64, process: ProcessIdentity) {
    self.namespace = namespace
    self.process = process
  }

  /// A sandbox about which nothing else is known. It has ended.
  package static let unknown = Sandbox(namespace: 0, process: ProcessIdentity(pid: 0, startTime: 0))
}

extension Sandbox: LosslessStringConvertible {
  /// The form in which the store keeps it: `sandboxed NAMESPACE PID START`, or `sandboxed` as earlier versions wrote.
  package var description: String {
    self == .unknown ? "sandboxed" : "sandboxed \(namespace) \(process.pid) \(process.startTime)"
  }

  package init?(_ description: String) {
    let words = description.split(separator: " ")
    guard words.first == "sandboxed" else { return nil }
    guard words.count == 4, let namespace = UInt64(words[1]), let pid = Int32(words[2]),
      let start = UInt64(words[3])
    else {
      self = .unknown
      return
    }
    self.init(namespace: namespace, process: ProcessIdentity(pid: pid, startTime: start))
  }
}
