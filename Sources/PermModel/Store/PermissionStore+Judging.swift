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

// MARK: - Allows that rest

extension PermissionStore {
  /// Returns the name of a program that may write in an agent's folder without being asked; `nil` if there is none.
  package func writer(in folder: ProgramFolder?) -> String? {
    guard let path = folder.flatMap({ try? AbsolutePath($0.path) }) else { return nil }
    let writers = try? decisionsToWrite(in: path).map(\.subject.label)
    // If the decisions cannot be read, any program could.
    return writers.map { $0.min() } ?? "another program"
  }

  /// Returns the reason why an allow has no effect as long as decisions stay as they are; `nil` if it has one.
  package func rest(of allow: Decision) -> DecidedAtoms.Obstacle? {
    guard allow.verdict == .allow,
      allow.atom.restsWhileWritten(endsWithSession: allow.lifetime.endsWithSession)
    else { return nil }
    return writer(in: allow.subject.folder).map { .rests(writer: $0) }
  }
}
