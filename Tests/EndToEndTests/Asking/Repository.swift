import Foundation
import Testing

/// The files of this repository that tests read or run.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path(percentEncoded: false)

  static func path(_ name: String) -> String { root + name }

  /// Whether a program is installed.
  static func has(_ program: String) -> Bool {
    ["/usr/local/bin", "/usr/bin", "/bin"].contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  /// Returns the code of one kind under a heading of `docs/recipes.md`.
  static func recipe(_ heading: String, _ kind: String) throws -> String {
    let page = try String(contentsOfFile: path("docs/recipes.md"), encoding: .utf8)
    let section = try #require(page.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") })
    let code = try #require(section.components(separatedBy: "```\(kind)\n").dropFirst().first)
    return try #require(code.components(separatedBy: "```").first)
  }
}

extension Trait where Self == ConditionTrait {
  /// Declares that a test needs a program. Without the program, the test is skipped, or fails if the variable `CI` is
  /// set.
  static func needs(_ program: String) -> Self {
    .enabled(
      if: Repository.has(program) || ProcessInfo.processInfo.environment["CI"] != nil,
      "\(program) is not installed")
  }
}
