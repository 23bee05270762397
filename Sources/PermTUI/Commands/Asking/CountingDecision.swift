import PermModel

/// The decision that determines whether an atom is allowed, and the rule by which it does.
struct CountingDecision {
  let decision: Decision
  let rule: Rule

  enum Rule: String {
    /// A denial for everyone counts before all decisions about one program.
    case everyone
    /// A denial inside the scope that is asked for.
    case inside
    /// The decision with the narrowest scope that covers what is asked for.
    case narrowest
  }

  /// Finds the decision that counts for an atom; `nil` if there is none.
  init?(for atom: Atom, _ definition: CapabilityDefinition, _ standing: Standing) {
    func denies(_ decision: Decision) -> Bool {
      decision.verdict == .deny && definition.implies(atom, decision.atom)
        && decision.atom.scope.overlaps(atom.scope)
    }
    let own = standing.decisions.values.sorted { ($1.decidedAt, $0.atom) < ($0.decidedAt, $1.atom) }
    if let decision = standing.everyone.first(where: denies) {
      (self.decision, rule) = (decision, .everyone)
    } else if let decision = own.first(where: { denies($0) && !$0.atom.scope.covers(atom.scope) }) {
      (self.decision, rule) = (decision, .inside)
    } else if let decision = Self.narrowest(of: own.filter { $0.speaks(about: atom, definition) }) {
      (self.decision, rule) = (decision, .narrowest)
    } else {
      return nil
    }
  }

  /// Returns the decision with the narrowest scope. Of those with the same scope, a denial counts.
  private static func narrowest(of decisions: [Decision]) -> Decision? {
    decisions.reduce(nil) { best, decision in
      guard let best else { return decision }
      let isNarrower = best.atom.scope != decision.atom.scope && best.atom.scope.covers(decision.atom.scope)
      let isEqualDenial = best.atom.scope == decision.atom.scope && decision.decidedAt == best.decidedAt
      return isNarrower || isEqualDenial && decision.verdict == .deny ? decision : best
    }
  }

  /// Whether a value or everyone is involved, so that it takes more than a word to say why the decision counts.
  var isAboutValues: Bool { rule != .narrowest || decision.atom.scope != .any }

  /// The reason in words, for a decision about values.
  func reason(_ catalogue: CapabilityCatalogue, _ console: Console) -> String {
    let what = console.visible(written: catalogue.text(decision.atom))
    switch rule {
    case .everyone: return "\(what) is denied for everyone"
    case .inside: return "\(what), which is inside, was denied"
    case .narrowest: return "the narrowest decision is \(what), which was \(decision.verdict.past)"
    }
  }
}

extension Decision {
  /// Whether this decision covers all of an atom.
  fileprivate func speaks(about atom: Atom, _ definition: CapabilityDefinition) -> Bool {
    let isAbout =
      verdict == .allow ? definition.implies(self.atom, atom) : definition.implies(atom, self.atom)
    return isAbout && self.atom.scope.covers(atom.scope)
  }
}
