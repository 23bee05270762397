import ArgumentParser
import PermBroker
import PermModel

/// The options that every command takes.
struct SharedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use this file of permissions, not PERMTUI_STORE or the usual one.", valueName: "path"),
    completion: .file(extensions: ["sqlite"]))
  var store: String?

  @Flag(name: .customLong("no-color"), help: "Print without colours, as NO_COLOR=1 does.")
  var noColor = false
}

extension BrokerPlace {
  /// The place of the broker for the store that the options and the environment name, unless they name its sockets.
  init(option: String?, environment: [String: String]) throws(CommandError) {
    if option == nil, let place = BrokerPlace(socketsNamedIn: environment) {
      self = place
    } else {
      self.init(
        store: try StoreLocation.path(option: option, environment: environment), environment: environment)
    }
  }
}

extension StoreLocation {
  /// Returns the store's absolute path; an option takes precedence over the environment.
  ///
  /// - Throws: ``CommandError`` if the home folder is unknown.
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
