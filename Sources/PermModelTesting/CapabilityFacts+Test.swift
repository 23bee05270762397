public import PermModel

extension CapabilityFacts {
  /// Creates the facts of a program about which something was decided, to test `status(from:)` and an
  /// ``AuthorizationStatus`` without a store, a slot and a presenter.
  ///
  /// Everything that counts elsewhere counts here, too: what parts imply, and which scope outweighs which.
  ///
  /// - Parameters:
  ///   - restricted: The names of the parts that the machine's policy forbids.
  public init(
    of capability: some CapabilityType, allowed: Set<Atom> = [], denied: Set<Atom> = [],
    restricted: Set<String> = [], availability: Availability = .available(found: "")
  ) {
    let subject = Subject(label: "test")
    let restriction = MachinePolicy.Restriction(capability: capability.name, parts: restricted)
    let judge = Judge(
      of: subject, capability.definition, under: restricted.isEmpty ? .none : MachinePolicy([restriction]))
    var standing = DecisionsInForce()
    for (verdict, atoms) in [(Verdict.allow, allowed), (.deny, denied)] {
      for atom in atoms {
        standing.decisions[atom] = Decision(
          subject: subject, atom: atom, verdict: verdict, lifetime: .forever, origin: .library,
          decidedAt: Timestamp(seconds: 1))
      }
    }
    let judgement = judge.judgement(on: capability.requirement.atoms, standing)
    self.init(decided: judgement.decided, availability: availability)
  }
}
