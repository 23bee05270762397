extension DecidedAtoms {
  /// The decision that counts for some atoms, and the rule by which it does.
  package struct Ground: Hashable, Sendable {
    package let decision: Decision
    package let rule: Rule
  }

  package enum Rule: String, Sendable {
    /// A denial for everyone counts before all decisions about one program.
    case everyone
    /// The decision with the narrowest scope that covers what is asked for.
    case narrowest
    /// A denial inside the scope that is asked for.
    case inside
    /// A denial of another name of the same file.
    case name
    /// A decision about one of the lines that a line joins.
    case line
  }

  /// Returns the decision because of which atoms are allowed or denied; `nil` if there is none. Of several decisions, one
  /// for everyone comes first.
  package func ground(of atoms: Set<Atom>) -> Ground? {
    let counting = decisions(behind: atoms)
    let first = counting.first(where: \.subject.isEveryone) ?? counting.first
    return first.map { Ground(decision: $0, rule: rule(of: $0, on: atoms)) }
  }

  private func rule(of decision: Decision, on atoms: Set<Atom>) -> Rule {
    if decision.subject.isEveryone { return .everyone }
    let scope = decision.verdict == .deny ? decision.atom.scope.denied : decision.atom.scope
    if atoms.contains(where: { scope.covers($0.scope) }) { return .narrowest }
    if atoms.contains(where: { $0.scope.covers(scope) }) { return .inside }
    return scope.kind == .command ? .line : .name
  }
}
