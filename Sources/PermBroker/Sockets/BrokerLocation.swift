import PermModel

/// The place of a store's single broker: the path of its lock, and the folders in which its sockets might be.
package struct BrokerLocation: Hashable, Sendable {
  /// The path of the lock file, which the broker holds as long as it runs.
  package let lock: String
  /// The possible addresses, in order of preference.
  package let addresses: [BrokerAddress]
  /// Whether the broker's store is outside this machine or sandbox. If so, no local process can replace the broker.
  package let isElsewhere: Bool

  /// Creates the place of a broker whose sockets are in the given folder. The sockets might be forwarded from another
  /// machine, or passed into a sandbox.
  package init(sockets folder: String) {
    lock = folder + "/broker"
    addresses = [BrokerAddress(folder: folder)]
    isElsewhere = true
  }

  /// The environment variable that names a folder of sockets, to be used instead of a store.
  package static let variable = "PERMTUI_SOCKETS"

  /// Creates the place of the broker whose sockets the environment names; `nil` if the environment names none.
  package init?(socketsNamedIn environment: [String: String]) {
    guard let folder = environment[Self.variable], !folder.isEmpty else { return nil }
    self.init(sockets: StoreLocation.absolute(folder))
  }

  /// - Parameter store: The absolute path of the store's file.
  package init(store: String, environment: [String: String]) {
    lock = store + ".broker"
    addresses = BrokerAddress.candidates(
      store: store, isDefault: store == StoreLocation.usualPath(environment: environment),
      runtimeFolder: environment["XDG_RUNTIME_DIR"])
    isElsewhere = false
  }
}
