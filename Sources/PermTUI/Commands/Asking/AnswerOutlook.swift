import PermModel

/// The answer that a program would get if it asked now, and the reason for that answer.
struct AnswerOutlook {
  /// The end that a request would have immediately if it were made now; `nil` if a person would be asked.
  let end: RequestEnd?
  let reason: String
  /// The decisions that bear on the answer, latest first.
  let decisions: [Decision]

  init(
    _ subject: Subject, _ reference: CapabilityReference, _ standing: Standing, replaced: [Decision] = [],
    in context: CommandContext
  ) {
    let availability = context.availability(of: reference)
    let definition = context.catalogue[reference.capability]?.definition
    let decided = definition.map {
      DecidedAtoms(
        $0, standing: standing, restricted: context.readPolicy().policy.restricted(for: subject, $0))
    }
    let states = Set(reference.atoms.map { decided?.state(of: $0) ?? .undecided })
    decisions = (standing.decisions.values + replaced)
      .filter { decision in
        reference.atoms.contains {
          definition?.covers(decision.atom, $0) == true || definition?.covers($0, decision.atom) == true
        }
      }
      .sorted { ($1.decidedAt, $0.atom) < ($0.decidedAt, $1.atom) }
    let (verdict, reason) = Self.verdict(states, standing)
    if let why = availability.unavailability {
      (end, self.reason) = (.unavailable(reason: "\(why)"), "\(why)")
    } else {
      end = verdict.map {
        .answered(GivenAnswer($0, to: reference.atoms, at: context.now, reason: reason))
      }
      let isReplaced = verdict == nil && !replaced.isEmpty
      self.reason = isReplaced ? "its file was replaced since it was decided" : reason
    }
  }

  /// Returns the verdict and the reason for it. The verdict is `nil` if a person would be asked.
  private static func verdict(_ states: Set<AtomState>, _ standing: Standing) -> (Verdict?, String) {
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
    return (nil, states.contains(.allowed) ? "more is asked than was decided" : "nothing is decided")
  }

  func sentence(_ subject: Subject, _ requirement: String) -> String {
    let outlook =
      switch end?.answer?.verdict {
      case .allow?: "would be allowed"
      case .deny?: "would be denied"
      case nil: end == nil ? "would be asked about" : "is not available"
      }
    return "\(requirement) for \(subject.label) \(outlook): \(reason)"
  }

  func json(_ subject: Subject, _ reference: CapabilityReference) -> JSON {
    let answer = end.map { $0.answer?.verdict.rawValue ?? "unavailable" } ?? "ask"
    return [
      "answer": .text(answer), "decisions": .list(decisions.map { JSON($0) }),
      "program": JSON(subject), "reason": .text(reason), "requirement": JSON(reference.atoms),
    ]
  }
}

extension RequestEnd {
  var exitStatus: ExitStatus {
    switch self {
    case .answered(let answer): answer.verdict == .allow ? .done : .denied
    case .unavailable: .unavailable
    case .dismissed, .timedOut, .withdrawn, .nobodyThere: .noAnswer
    }
  }
}
