/// Where the one broker of a store is: its lock, and the folders that its sockets may be in.
public struct BrokerPlace: Hashable, Sendable {
  /// Held by the broker as long as it runs.
  public let lock: String
  /// The best first.
  public let addresses: [BrokerAddress]
  /// Whether the broker works on a store that this machine or sandbox does not have: nothing takes its place.
  public let isElsewhere: Bool

  public init(lock: String, addresses: [BrokerAddress]) {
    self.lock = lock
    self.addresses = addresses
    isElsewhere = false
  }

  /// The broker whose sockets are in a folder: forwarded from another machine, or passed into a sandbox.
  public init(sockets folder: String) {
    lock = folder + "/broker"
    addresses = [BrokerAddress(folder: folder)]
    isElsewhere = true
  }

  /// - Parameters:
  ///   - store: The absolute path of the store's file.
  ///   - isDefault: Whether that is the store that is used when none is named.
  ///   - runtimeFolder: The value of `XDG_RUNTIME_DIR`.
  public init(store: String, isDefault: Bool, runtimeFolder: String?) {
    lock = store + ".broker"
    addresses = BrokerAddress.candidates(store: store, isDefault: isDefault, runtimeFolder: runtimeFolder)
    isElsewhere = false
  }
}
