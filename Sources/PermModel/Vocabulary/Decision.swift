/// An answer that is kept.
package struct Decision: Hashable, Sendable, Codable {
  package var subject: Subject
  package var atom: Atom
  package var verdict: Verdict
  package var lifetime: Lifetime
  /// The person, command or rule that decided.
  package var origin: Origin
  /// The person's note on the answer.
  package var note: String?
  package var decidedAt: Timestamp
  /// When the decision last answered a request; `nil` if it has not answered any.
  package var lastUsed: Timestamp?

  package init(
    subject: Subject, atom: Atom, verdict: Verdict, lifetime: Lifetime, origin: Origin, note: String? = nil,
    decidedAt: Timestamp, lastUsed: Timestamp? = nil
  ) {
    self.subject = subject
    self.atom = atom
    self.verdict = verdict
    self.lifetime = lifetime
    self.origin = origin
    self.note = note
    self.decidedAt = decidedAt
    self.lastUsed = lastUsed
  }
}

extension Decision {
  /// The key of a decision: one program and one atom. There is at most one decision for each key.
  package struct Key: Hashable, Sendable, Codable {
    package var subject: Subject
    package var atom: Atom

    package init(subject: Subject, atom: Atom) {
      self.subject = subject
      self.atom = atom
    }
  }

  package var key: Key { Key(subject: subject, atom: atom) }

  /// Whether two decisions are equal apart from the time of their last use.
  func saysTheSame(as other: Decision?) -> Bool {
    var unused = self
    unused.lastUsed = other?.lastUsed
    return unused == other
  }
}

extension Atom {
  /// Everything that a program could ask for. Only a deny is kept for it: the program is muted, and its new requests
  /// are denied without an alert.
  package static let everything = Atom("*", "*")
}

/// Yes or no.
public enum Verdict: String, Sendable, Codable, CaseIterable {
  case allow, deny
}
