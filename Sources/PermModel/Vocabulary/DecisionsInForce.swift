/// The decisions in the store about one program and one capability at a given time.
package struct DecisionsInForce: Hashable, Sendable {
  /// The decisions that are in effect, keyed by atom. A decision about this very program takes precedence
  /// over a decision about its label alone.
  package var decisions: [Atom: Decision]
  /// The denials for everyone that are in effect. No other decision outweighs them.
  package var everyone: [Decision] = []
  /// The decision that mutes the program, if there is one. While it is in effect, new requests are denied
  /// without an alert.
  package var mute: Decision?
  /// The suspension that the panic key started; `nil` if there is none. During a suspension, no allow decision
  /// is in effect, and all new requests are denied.
  package var suspension: Suspension?
  /// The names that no decision about a wider scope covers.
  package var protected = ProtectedNames.current

  package init(decisions: [Atom: Decision] = [:], mute: Decision? = nil, suspension: Suspension? = nil) {
    self.decisions = decisions
    self.mute = mute
    self.suspension = suspension
  }

  /// Returns the current verdict on one atom, ignoring what decisions about other atoms imply for this atom.
  /// Returns `nil` if the atom is undecided.
  package func verdict(_ atom: Atom) -> Verdict? {
    guard let decision = decisions[atom] else { return nil }
    return suspension == nil ? decision.verdict : .deny
  }

  /// The atoms that are allowed now. Empty during a suspension.
  package var allowed: Set<Atom> { atoms(.allow) }

  package var denied: Set<Atom> { atoms(.deny) }

  private func atoms(_ verdict: Verdict) -> Set<Atom> {
    Set(decisions.keys.filter { self.verdict($0) == verdict })
  }
}

/// The state that the panic key starts. Until it is lifted, the allow decisions of all programs are suspended.
package struct Suspension: Hashable, Sendable, Codable {
  package var since: Timestamp
  package var origin: Origin

  package init(since: Timestamp, origin: Origin) {
    self.since = since
    self.origin = origin
  }
}
