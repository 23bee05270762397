import Machine

/// The location of the permissions: the file that the command line, the environment or the XDG rules name.
package enum StoreLocation {
  package static let variable = "PERMTUI_STORE"

  /// The store's absolute path; `nil` if there is no known home folder.
  ///
  /// `PERMTUI_STORE` takes precedence over ``usualPath(environment:)``.
  package static func path(environment: [String: String]) -> String? {
    if let named = environment[variable], !named.isEmpty { return absolute(named) }
    return usualPath(environment: environment)
  }

  /// `$XDG_STATE_HOME/permtui/permissions.sqlite`, where `$XDG_STATE_HOME` is `~/.local/state` unless it is set to an
  /// absolute path; `nil` if there is no known home folder.
  package static func usualPath(environment: [String: String]) -> String? {
    func folder(_ variable: String) -> String? {
      environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let state = folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }
    return state.map { $0 + "/permtui/permissions.sqlite" }
  }

  /// The absolute path.
  package static func absolute(_ path: String) -> String { Paths.absolute(path) }
}
