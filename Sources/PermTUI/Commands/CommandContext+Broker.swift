import PermBroker
import PermModel

extension CommandContext {
  /// Where the broker of the named store is.
  func brokerPlace() throws(CommandError) -> BrokerPlace {
    try BrokerPlace(option: storeOption, environment: environment)
  }

  /// What a broker on this context's store works with.
  func brokerConfiguration(_ store: any PermissionStore) -> Broker.Configuration {
    Broker.Configuration(store: store, catalogue: catalogue, probes: probes, policy: policy())
  }

  /// A connection to the broker for persons; `nil` if none is running.
  ///
  /// - Throws: ``CommandError`` if there is one that cannot be used, or that must be there and is not.
  func broker() throws -> BrokerConnection? {
    guard !hasGivenStore else { return nil }
    let place = try brokerPlace()
    do throws(BrokerSocketError) {
      return try BrokerConnection(to: .control, among: place.addresses)
    } catch .nobodyListens where !place.isElsewhere {
      return nil
    } catch {
      throw CommandError("\(error)")
    }
  }

  /// Where permissions are changed: through the broker that runs, else in the store itself.
  func control(_ access: StoreAccess = .change) throws -> any PermissionControl {
    if let broker = try broker() { return broker }
    return StoreControl(try store(access), catalogue: catalogue, policy: policy())
  }
}
