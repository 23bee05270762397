import CVersion

/// The version of the programs. Packages take their version from this file, too.
///
/// Between two releases it is the next one with `-dev`, so that no two programs have one version.
package enum Version {
  package static let current = "0.3.0-dev"

  /// The version, followed by the commit if the build knew it.
  package static var complete: String { text(commit: String(cString: permtui_commit())) }

  package static func text(commit: String) -> String {
    commit.isEmpty ? current : "\(current) (\(commit))"
  }
}
