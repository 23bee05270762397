import Machine

/// The folder in which an agent's process began. What is decided about an agent applies only in this folder.
package struct ProgramFolder: Hashable, Sendable, Codable {
  package var path: String
  package var device: UInt64
  package var inode: UInt64

  package init(path: String, device: UInt64, inode: UInt64) {
    self.path = path
    self.device = device
    self.inode = inode
  }
}

extension ProgramFolder {
  /// The folder of an agent whose folder cannot be determined. Because it could be any folder, the
  /// agent's denials and mutes apply whatever their folder, and its allows do not apply at all.
  package static let unknown = ProgramFolder(path: "(unknown)", device: 0, inode: 0)

  /// The folder that is at a path now, following links; `nil` if there is no folder.
  package init?(at path: String) {
    guard let path = Paths.resolved(path), let status = FileStatus(path), status.kind == .folder else {
      return nil
    }
    self.init(path: path, device: status.device, inode: status.inode)
  }

  /// The folder in which a process works now; `nil` if it cannot be determined.
  package init?(of process: ProcessIdentity) {
    guard let folder = WorkingFolder(of: process.pid, startedAt: process.startTime) else { return nil }
    self.init(path: folder.path, device: folder.status.device, inode: folder.status.inode)
  }

  /// Whether another folder, or none, is at the path now.
  package var isReplaced: Bool { ProgramFolder(at: path) != self }
}

extension ProgramFolder: LosslessStringConvertible {
  /// The form in which the store keeps the folder: `in DEVICE INODE PATH`, with escapes in the path.
  package var description: String { "in \(device) \(inode) \(Scope.escaped(Array(path.utf8)))" }

  package init?(_ description: String) {
    let words = description.split(separator: " ", maxSplits: 3)
    guard words.first == "in", words.count == 4, let device = UInt64(words[1]), let inode = UInt64(words[2]),
      let bytes = try? Scope.unescaped(String(words[3])), let path = String(validating: bytes, as: UTF8.self)
    else { return nil }
    self.init(path: path, device: device, inode: inode)
  }
}
