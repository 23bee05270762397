extension PermissionStore {
  /// Returns the judgement on some atoms by the decisions in this store.
  ///
  /// - Parameter facts: The known facts about the values that are asked for.
  package func judgement(
    on atoms: Set<Atom>, _ facts: ValueFacts = ValueFacts(), by judge: Judge
  ) throws(StoreError) -> Judgement {
    let standing = try standing(
      of: judge.subject, capability: judge.definition.name, asking: facts.needed(for: atoms))
    return judge.judgement(on: atoms, standing, facts)
  }

  /// Returns the judgement on a request by the decisions in this store.
  package func judgement(
    on request: Request, _ definition: CapabilityDefinition, under policy: MachinePolicy
  ) throws(StoreError) -> Judgement {
    try judgement(
      on: request.atoms, request.facts, by: Judge(of: request.subject, definition, under: policy))
  }
}
