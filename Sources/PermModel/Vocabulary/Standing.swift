/// The store's decisions for one program and one capability at one moment.
package struct Standing: Hashable, Sendable {
  /// The decisions in force, by atom. A decision for this very program takes precedence over one for its label alone.
  package var decisions: [Atom: Decision]
  /// The decision that mutes the program; new requests are then denied without an alert.
  package var mute: Decision?
  /// Set while the panic key is in effect: no allow counts, and everything new is denied.
  package var suspension: Suspension?

  package init(decisions: [Atom: Decision] = [:], mute: Decision? = nil, suspension: Suspension? = nil) {
    self.decisions = decisions
    self.mute = mute
    self.suspension = suspension
  }

  /// Returns the current verdict on one atom, without what other atoms imply; `nil` if undecided.
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

/// The panic key's state: all allows are suspended until it is lifted. It applies to every process.
package struct Suspension: Hashable, Sendable, Codable {
  package var since: Timestamp
  package var origin: Origin

  package init(since: Timestamp, origin: Origin) {
    self.since = since
    self.origin = origin
  }
}
