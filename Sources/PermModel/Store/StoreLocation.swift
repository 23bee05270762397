import Machine

/// Where the permissions are kept: the file that the command line, the environment or the XDG rules name.
public enum StoreLocation {
  public static let variable = "PERMTUI_STORE"

  /// The store's absolute path; `nil` where nothing says which folder is home.
  ///
  /// `PERMTUI_STORE` comes before ``usualPath(environment:)``.
  public static func path(environment: [String: String]) -> String? {
    if let named = environment[variable], !named.isEmpty { return absolute(named) }
    return usualPath(environment: environment)
  }

  /// `$XDG_STATE_HOME/permtui/permissions.sqlite`, where `$XDG_STATE_HOME` is `~/.local/state` unless it is set to an
  /// absolute path; `nil` where nothing says which folder is home.
  public static func usualPath(environment: [String: String]) -> String? {
    func folder(_ variable: String) -> String? {
      environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let state = folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }
    return state.map { $0 + "/permtui/permissions.sqlite" }
  }

  /// The path, from the root on.
  public static func absolute(_ path: String) -> String { Paths.absolute(path) }
}
