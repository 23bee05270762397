import PermBroker

extension BrokerPlace {
  /// The variable that names a folder of sockets instead of a store.
  static let variable = "PERMTUI_SOCKETS"

  /// Where the broker is of the store that options and environment name, unless they name its sockets.
  init(option: String?, environment: [String: String]) throws(CommandError) {
    if option == nil, let folder = environment[Self.variable], !folder.isEmpty {
      self.init(sockets: StoreLocation.absolute(folder))
      return
    }
    var plain = environment
    plain[StoreLocation.variable] = nil
    let store = try StoreLocation.path(option: option, environment: environment)
    let usual = try? StoreLocation.path(option: nil, environment: plain)
    self.init(store: store, isDefault: store == usual, runtimeFolder: environment["XDG_RUNTIME_DIR"])
  }
}
