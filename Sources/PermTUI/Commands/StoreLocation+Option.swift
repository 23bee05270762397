import PermModel

extension StoreLocation {
  /// The store's absolute path: what an option names comes first.
  ///
  /// - Throws: ``CommandError`` where nothing says which folder is home.
  static func path(option: String?, environment: [String: String]) throws(CommandError) -> String {
    if let option {
      guard !option.isEmpty else { throw .usage("--store needs the path of a file") }
      return absolute(option)
    }
    guard let path = path(environment: environment) else {
      throw CommandError(
        "cannot tell where to keep permissions: HOME is not set",
        advice: ["set HOME, or name a file with --store or \(variable)"])
    }
    return path
  }
}
