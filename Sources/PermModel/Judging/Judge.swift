/// Determines what decisions, the machine's policy, a panic and the known facts say about one program's use of one
/// capability.
///
/// A judge looks nothing up and remembers nothing, so every process that has the same decisions reaches the same
/// judgement.
package struct Judge: Hashable, Sendable {
  package let subject: Subject
  package let definition: CapabilityDefinition
  let policy: MachinePolicy
  /// The atoms that the policy forbids to the program.
  private(set) var restricted: Set<Atom>

  package init(of subject: Subject, _ definition: CapabilityDefinition, under policy: MachinePolicy) {
    self.subject = subject
    self.definition = definition
    self.policy = policy
    restricted = policy.restricted(for: subject, definition)
  }

  /// Returns the judge of the program's use of another capability.
  func judge(of other: CapabilityDefinition) -> Judge { Judge(of: subject, other, under: policy) }

  /// Returns the scopes that are denied, or that the policy forbids.
  func deniedScopes(_ standing: DecisionsInForce) -> Set<Scope> {
    let denials = (standing.decisions.values + standing.everyone).filter { $0.verdict == .deny }
    return Set(denials.map(\.atom.scope) + restricted.map(\.scope))
  }

  /// Returns the same judge, for whom the policy forbids only some of what it forbids.
  func restricted(where isIncluded: (Atom) -> Bool) -> Judge {
    var copy = self
    copy.restricted = restricted.filter(isIncluded)
    return copy
  }

  /// Returns the judgement on a request for some atoms, or on one that nobody has made yet.
  ///
  /// - Parameters:
  ///   - standing: The decisions that are in force. It can leave out those on which the atoms do not depend.
  ///   - facts: The known facts about the values that are asked for.
  package func judgement(
    on atoms: Set<Atom>, _ standing: DecisionsInForce, _ facts: ValueFacts = ValueFacts()
  ) -> Judgement {
    let decided = DecidedAtoms(
      definition, decisions: standing.decisions.values + standing.everyone, restricted: restricted,
      isSuspended: standing.suspension != nil, facts: facts, protected: standing.protected)
    return Judgement(subject: subject, atoms: atoms, standing: standing, decided: decided)
  }
}
