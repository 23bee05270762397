import PermBroker

extension BrokerPlace {
  /// Where the broker is of the store that options and environment name.
  init(option: String?, environment: [String: String]) throws(CommandError) {
    var plain = environment
    plain[StoreLocation.variable] = nil
    let store = try StoreLocation.path(option: option, environment: environment)
    let usual = try? StoreLocation.path(option: nil, environment: plain)
    self.init(store: store, isDefault: store == usual, runtimeFolder: environment["XDG_RUNTIME_DIR"])
  }
}
