import Machine

/// The location of the store, which depends on the command line, the environment and the XDG rules.
package enum StoreLocation {
  package static let variable = "PERMTUI_STORE"

  /// Returns the store's absolute path; `nil` if the home folder is needed but unknown.
  ///
  /// `PERMTUI_STORE` takes precedence over ``usualPath(environment:)``.
  package static func path(environment: [String: String]) -> String? {
    if let named = environment[variable], !named.isEmpty { return absolute(named) }
    return usualPath(environment: environment)
  }

  /// Returns `$XDG_STATE_HOME/permtui/permissions.sqlite`. If `$XDG_STATE_HOME` is not an absolute path,
  /// `~/.local/state` is used instead. Returns `nil` if the home folder is needed but unknown.
  package static func usualPath(environment: [String: String]) -> String? {
    func folder(_ variable: String) -> String? { Paths.folder(environment[variable]) }
    let state = folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }
    return state.map { $0 + "/permtui/permissions.sqlite" }
  }

  package static func absolute(_ path: String) -> String { Paths.absolute(path) }
}
