import Foundation

/// A folder with files, for as long as the value lives.
final class FileTree: Sendable {
  let path: String

  /// - Parameter files: Contents by path in the folder.
  init(_ files: [String: String]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "operations-\(UUID().uuidString)")
    path = folder.path
    for (name, content) in files {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(content.utf8).write(to: file)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
