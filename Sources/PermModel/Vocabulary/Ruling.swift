/// A rule set by a person or a command, to be kept in the store: one verdict on some atoms for one program.
package struct Ruling: Hashable, Sendable {
  package var verdict: Verdict
  package var subject: Subject
  package var atoms: Set<Atom>
  package var lifetime: LifetimeChoice
  package var note: String?
  /// The program's process, which must be given for the lifetime `process`.
  package var process: ProcessIdentity?

  package init(
    _ verdict: Verdict, subject: Subject, atoms: Set<Atom>, lifetime: LifetimeChoice = .forever,
    note: String? = nil, process: ProcessIdentity? = nil
  ) {
    self.verdict = verdict
    self.subject = subject
    self.atoms = atoms
    self.lifetime = lifetime
    self.note = note
    self.process = process
  }

  /// The time for which a program is muted if nobody names another one.
  package static let usualMute = LifetimeChoice.duration(.seconds(3600))

  /// Returns the ruling that denies all new requests of a program without an alert.
  package static func mute(_ subject: Subject, for lifetime: LifetimeChoice = usualMute) -> Ruling {
    Ruling(.deny, subject: subject.muted, atoms: [.everything], lifetime: lifetime)
  }
}

/// The effect of a change that kept decisions.
package struct DecisionResult: Hashable, Sendable {
  package var decisions: [Decision]
  /// The number of allows inside the scopes of the denials among these decisions. The same change has removed them.
  package var takenBack: Int

  package init(_ decisions: [Decision], takenBack: Int) {
    self.decisions = decisions
    self.takenBack = takenBack
  }
}

extension Ruling {
  /// Returns the resulting decisions, one for each atom. There are none if the lifetime is `once`, or if it is
  /// `process` and no process is given. An allow decision is never made for ``Atom/everything``.
  func decisions(by origin: Origin, at moment: Moment) -> [Decision] {
    guard let lifetime = Lifetime(lifetime, at: moment, process: process) else { return [] }
    let atoms = verdict == .allow ? atoms.subtracting([.everything]) : atoms
    return atoms.sorted().map { atom in
      Decision(
        subject: subject, atom: atom, verdict: verdict, lifetime: lifetime, origin: origin, note: note,
        decidedAt: moment.wall)
    }
  }
}
