/// What a person or a command lays down: one verdict on some atoms for one program, to be kept.
public struct Ruling: Hashable, Sendable {
  public var verdict: Verdict
  public var subject: Subject
  public var atoms: Set<Atom>
  public var lifetime: LifetimeChoice
  public var note: String?
  /// The program's process, without which the lifetime `process` cannot be kept.
  public var process: ProcessIdentity?

  public init(
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

  /// Denies everything new that a program asks, without an alert.
  public static func mute(_ subject: Subject, for duration: Duration = .seconds(3600)) -> Ruling {
    Ruling(.deny, subject: subject.muted, atoms: [.everything], lifetime: .duration(duration))
  }
}

extension Ruling {
  /// The decisions that come of it, one for each atom. None for the lifetime `once`, none where the lifetime is
  /// `process` and the process is not known, and none that would allow everything at once.
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
