package import PermModel

extension BrokerConnection {
  /// Returns the atoms of a requirement that the calling program may use, and those that are denied to it. The broker would
  /// ask a person about the others. The connection must be one to the socket `ask`.
  package func ownStatus(
    of reference: CapabilityReference, label: String
  ) throws(BrokerError) -> (allowed: Set<Atom>, denied: Set<Atom>) {
    let parameters = Methods.Status.Parameters(
      Subject(label: label), reference.capability, asking: reference.atoms)
    let reply = try call(Methods.Status.self, parameters)
    let allowed = try Set(reference.capability, parts: reply.allowed, values: reply.allowedValues)
    let denied = try Set(reference.capability, parts: reply.denied, values: reply.deniedValues)
    return (allowed.intersection(reference.atoms), denied.intersection(reference.atoms))
  }
}
