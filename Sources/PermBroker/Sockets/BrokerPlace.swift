import PermModel

/// The location of a store's only broker: its lock, and the possible folders of its sockets.
package struct BrokerPlace: Hashable, Sendable {
  /// Held by the broker as long as it runs.
  package let lock: String
  /// The possible addresses, the best first.
  package let addresses: [BrokerAddress]
  /// Whether the broker's store is missing on this machine or in this sandbox, so that nothing here can replace the
  /// broker.
  package let isElsewhere: Bool

  /// The broker whose sockets are in a folder: forwarded from another machine, or passed into a sandbox.
  package init(sockets folder: String) {
    lock = folder + "/broker"
    addresses = [BrokerAddress(folder: folder)]
    isElsewhere = true
  }

  /// The variable that names a folder of sockets instead of a store.
  package static let variable = "PERMTUI_SOCKETS"

  /// The broker whose sockets the environment names; `nil` if it names none.
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
