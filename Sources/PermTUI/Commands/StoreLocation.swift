import Glibc

/// Where the permissions are kept: the file that the command line, the environment or the XDG rules name.
enum StoreLocation {
  static let variable = "PERMTUI_STORE"

  /// The store's absolute path.
  ///
  /// An option comes before `PERMTUI_STORE`, and that before `$XDG_STATE_HOME/permtui/permissions.sqlite`, where
  /// `$XDG_STATE_HOME` is `~/.local/state` unless it is set to an absolute path.
  ///
  /// - Throws: ``CommandError`` where nothing says which folder is home.
  static func path(option: String?, environment: [String: String]) throws(CommandError) -> String {
    if let option {
      guard !option.isEmpty else { throw .usage("--store needs the path of a file") }
      return absolute(option)
    }
    if let named = environment[variable], !named.isEmpty { return absolute(named) }
    return try stateFolder(environment) + "/permtui/permissions.sqlite"
  }

  private static func stateFolder(_ environment: [String: String]) throws(CommandError) -> String {
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return folder }
    if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state" }
    throw CommandError(
      "cannot tell where to keep permissions: HOME is not set",
      advice: ["set HOME, or name a file with --store or \(variable)"])
  }

  /// The path, from the root on.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
