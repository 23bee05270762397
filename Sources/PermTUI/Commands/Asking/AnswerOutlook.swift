import PermModel

/// What a program would be answered now, and because of what.
struct AnswerOutlook {
  enum Answer: String {
    case allow, deny, ask, unavailable

    var status: ExitStatus {
      switch self {
      case .allow: .done
      case .deny: .denied
      case .ask: .noAnswer
      case .unavailable: .unavailable
      }
    }
  }

  let answer: Answer
  let reason: String
  /// The decisions that have a say, the latest first.
  let decisions: [Decision]

  init(
    _ subject: Subject, _ reference: CapabilityReference, _ standing: Standing, replaced: [Decision] = [],
    in context: CommandContext
  ) {
    let availability = context.availability(of: reference)
    let definition = context.catalogue[reference.capability]?.definition
    let decided = definition.map {
      DecidedAtoms($0, standing: standing, restricted: context.policy().restricted(for: subject, $0))
    }
    let states = Set(reference.atoms.map { decided?.state(of: $0) ?? .undecided })
    decisions = (standing.decisions.values + replaced)
      .filter { decision in
        reference.atoms.contains {
          definition?.covers(decision.atom, $0) == true || definition?.covers($0, decision.atom) == true
        }
      }
      .sorted { ($1.decidedAt, $0.atom) < ($0.decidedAt, $1.atom) }
    let (answer, reason) = Self.answer(states, availability, standing)
    self.answer = answer
    let isReplaced = answer == .ask && !replaced.isEmpty
    self.reason = isReplaced ? "its file was replaced since it was decided" : reason
  }

  private static func answer(
    _ states: Set<AtomState>, _ availability: Availability, _ standing: Standing
  ) -> (Answer, String) {
    if let why = availability.unavailability { return (.unavailable, "\(why)") }
    if states.contains(.restricted) { return (.deny, "the policy of this machine forbids it") }
    if let suspension = standing.suspension {
      return (.deny, "all allows are suspended since \(suspension.since.local)")
    }
    if states.contains(.denied) { return (.deny, "it was decided") }
    guard states.contains(.undecided) else {
      return (.allow, states.isEmpty ? "it needs no permission" : "it was decided")
    }
    if let mute = standing.mute {
      return (.deny, "the program is muted \(mute.lifetime.words)")
    }
    return (.ask, states.contains(.allowed) ? "more is asked than was decided" : "nothing is decided")
  }

  func sentence(_ subject: Subject, _ requirement: String) -> String {
    let who = "\(requirement) for \(subject.label)"
    switch answer {
    case .allow: return "\(who) would be allowed: \(reason)"
    case .deny: return "\(who) would be denied: \(reason)"
    case .ask: return "\(who) would be asked about: \(reason)"
    case .unavailable: return "\(who) is not available: \(reason)"
    }
  }

  func json(_ subject: Subject, _ reference: CapabilityReference) -> JSON {
    [
      "answer": .text(answer.rawValue), "decisions": .list(decisions.map { JSON($0) }),
      "program": JSON(subject), "reason": .text(reason), "requirement": JSON(reference.atoms),
    ]
  }
}
