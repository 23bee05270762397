/// An answer that is kept: the verdict on one atom for one program.
public struct Decision: Hashable, Sendable, Codable {
  public var subject: Subject
  public var atom: Atom
  public var verdict: Verdict
  public var lifetime: Lifetime
  /// The source of the decision: a person, a command or a rule.
  package var origin: Origin
  /// The person's note on the answer.
  public var note: String?
  public var decidedAt: Timestamp
  /// The last time that the decision answered a request; `nil` if it has not answered any.
  public var lastUsed: Timestamp?

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

  /// Whether two decisions are equal apart from the time at which they were last used.
  func saysTheSame(as other: Decision?) -> Bool {
    var unused = self
    unused.lastUsed = other?.lastUsed
    return unused == other
  }
}

extension Decision {
  /// Whether this decision applies to a program. The decision can be for exactly that program, be for the program's
  /// label alone, or mute the program.
  ///
  /// A decision without a folder applies to an agent in a folder only if it is a denial. If the folder of the agent is
  /// unknown, denials in all folders apply.
  package func holds(for asking: Subject) -> Bool {
    if subject.isEveryone { return verdict == .deny }
    var asking = atom == .everything ? asking.muted : asking
    let isAnyFolder = subject.folder == nil || asking.folder == .unknown
    if isAnyFolder, verdict == .deny { asking.folder = subject.folder }
    if subject.isUnbound {
      return subject.folder == asking.folder && (verdict == .deny || asking.takesUnboundAllows)
    }
    if atom == .everything { asking.label = subject.label }
    return asking.isSameProgram(as: subject)
  }
}

extension Atom {
  /// A special atom that stands for everything that a program could ask for. Only a deny decision can be kept
  /// for it. Such a decision mutes the program: its new requests are denied without an alert.
  package static let everything = Atom("*", "*")
}

/// The outcome of an answer or a decision.
public enum Verdict: String, Sendable, Codable, CaseIterable {
  case allow, deny
}

extension Decision {
  /// The time, in seconds, after which an allow that no program has used counts as unused: 90 days.
  package static let unusedAfter: Int64 = 90 * 86_400

  /// Whether this is an allow that was made, and last used, before a moment.
  package func isUnused(since limit: Timestamp) -> Bool {
    verdict == .allow && decidedAt < limit && lastUsed.map { $0 < limit } ?? true
  }
}
