import PermBroker
import PermModel

extension CommandContext {
  /// Returns what the calling program may use, if only that can be learned: in a sandbox that only has the broker's socket
  /// for programs. Otherwise returns `nil`.
  func ownStatus(of reference: CapabilityReference) throws -> (allowed: Set<Atom>, denied: Set<Atom>)? {
    guard givenStore == nil, let place = try? brokerPlace(), place.isElsewhere,
      (try? BrokerConnection(to: .control, among: place.addresses)) == nil,
      let broker = try? BrokerConnection(to: .ask, among: place.addresses)
    else { return nil }
    let label = AskingProgram.seen()?.subject(label: nil).label ?? "permtui"
    return try broker.ownStatus(of: reference, label: label)
  }
}
