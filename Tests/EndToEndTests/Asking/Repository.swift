import Foundation
import Testing

/// The files of this repository that tests read or run.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path(percentEncoded: false)

  static func path(_ name: String) -> String { root + name }

  /// Returns the code of one kind under a heading of `docs/recipes.md`.
  static func recipe(_ heading: String, _ kind: String) throws -> String {
    let page = try String(contentsOfFile: path("docs/recipes.md"), encoding: .utf8)
    let section = try #require(page.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") })
    let code = try #require(section.components(separatedBy: "```\(kind)\n").dropFirst().first)
    return try #require(code.components(separatedBy: "```").first)
  }
}
