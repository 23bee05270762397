import Foundation

/// A folder for one test, removed with the last reference to it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    // It is short, because the path of a socket may have only 108 bytes.
    var template = Array("/tmp/permtui-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
    path = String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file; with `mode` 0o755 a program.
  @discardableResult
  func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
    let target = file(name)
    try programFiles.withLock { try text.write(toFile: target, atomically: false, encoding: .utf8) }
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: target)
    return target
  }

  func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    return file(name)
  }
}
