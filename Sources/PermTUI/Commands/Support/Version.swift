import CVersion

/// The version of the program, as in CHANGELOG.md. Packages take their version from this file, too.
enum Version {
  static let current = "0.2.0"

  /// The version, followed by the commit if the build knew it.
  static var complete: String { text(commit: String(cString: permtui_commit())) }

  static func text(commit: String) -> String { commit.isEmpty ? current : "\(current) (\(commit))" }
}
