import Foundation
import TerminalTesting

extension TemporaryFolder {
  /// Writes the configuration for a user with this folder as home.
  func configure(_ text: String) throws {
    let folder = file(".config/permtui")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try text.write(toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
  }

  /// Returns `permtui` with this folder as its home: it finds no settings and no store but its own.
  func permtui(_ arguments: [String] = [], environment: [String: String] = [:]) -> TestedProgram {
    .permtui(arguments, environment: ["HOME": path].merging(environment) { $1 })
  }

  /// Returns the dashboard, once its first frame has appeared.
  func dashboard(
    columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> TerminalSession {
    let session = try TerminalSession(permtui(environment: environment), columns: columns, rows: rows)
    try session.expect("PermTUI")
    return session
  }
}
