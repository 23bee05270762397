import Foundation

/// A new folder in the system's temporary folder, deleted with the last reference to it.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "permtui-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = url.path(percentEncoded: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in this folder, which need not exist.
  public func file(_ name: String) -> String { path + "/" + name }
}
