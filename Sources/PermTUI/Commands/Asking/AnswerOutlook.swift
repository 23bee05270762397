import PermModel

/// The answer that a program would get if it asked now, and the reason for that answer.
struct AnswerOutlook {
  /// The end that a request would have immediately if it were made now; `nil` if a person would be asked.
  let end: RequestEnd?
  let reason: String
  /// The decisions that bear on the answer: first the one that counts, then the others, latest first.
  let decisions: [Decision]
  /// The decision that counts, if one of several can be named.
  let counting: DecidedAtoms.Ground?

  /// - Parameter facts: The facts about the values as a request would find them.
  init(
    _ subject: Subject, _ reference: CapabilityReference, _ standing: DecisionsInForce,
    facts: ValueFacts = ValueFacts(),
    replaced: [Decision] = [], in context: CommandContext
  ) {
    let definition = context.catalogue[reference.capability]?.definition
    let judgement = definition.map {
      Judge(of: subject, $0, under: context.readPolicy().policy)
        .judgement(on: reference.atoms, standing, facts)
    }
    counting = judgement?.ground
    decisions = Self.decisions(
      about: reference, standing.decisions.values + standing.everyone + replaced, definition, counting)
    if let why = context.availability(of: reference).unavailability {
      (end, reason) = (.unavailable(reason: "\(why)"), "\(why)")
      return
    }
    let (verdict, why) = Self.finding(judgement, standing, counting, context)
    end = verdict.map { .answered(GivenAnswer($0, to: reference.atoms, at: context.now, reason: why)) }
    let isReplaced = verdict == nil && !replaced.isEmpty
    reason = isReplaced ? "its file was replaced since it was decided" : why
  }

  /// Returns the answer, which is `nil` if a person would be asked, with the reason for it.
  private static func finding(
    _ judgement: Judgement?, _ standing: DecisionsInForce, _ counting: DecidedAtoms.Ground?,
    _ context: CommandContext
  ) -> (verdict: Verdict?, reason: String) {
    let outlook =
      judgement?.outlook
      ?? Outlook(
        [.undecided], mute: standing.mute?.lifetime, suspendedSince: standing.suspension?.since)
    let held = outlook.verdict == nil ? judgement?.heldBack : nil
    let isDecided = outlook.cause == .decision && judgement?.open.isEmpty == true
    let ground = isDecided ? counting?.words(context) : nil
    return (
      outlook.verdict,
      ground ?? held?.words(context.catalogue, context.console, judgement?.onceReason)
        ?? outlook.cause.words(\.local)
    )
  }

  /// Returns the decisions that bear on the answer: first the one that counts, then the others, latest first.
  private static func decisions(
    about reference: CapabilityReference, _ all: [Decision], _ definition: CapabilityDefinition?,
    _ counting: DecidedAtoms.Ground?
  ) -> [Decision] {
    let others = all.filter { decision in
      reference.atoms.contains { definition?.isRelated($0, decision.atom) == true }
        && decision.key != counting?.decision.key
    }
    return (counting.map { [$0.decision] } ?? [])
      + others.sorted { ($1.decidedAt, $0.atom) < ($0.decidedAt, $1.atom) }
  }

  /// The beginning of a reason that goes on the sentence.
  fileprivate static let byDecision = "by the decision about "

  func sentence(_ subject: Subject, _ requirement: [String], _ console: Console) -> String {
    let what = requirement.map(console.visible(written:)).joined(separator: " ")
    if subject.isEveryone, end == nil {
      return "\(what) is not denied for everyone: the decisions about each program count"
    }
    let outlook =
      switch end?.answer?.verdict {
      case .allow?: "would be allowed"
      case .deny?: "would be denied"
      case nil: end == nil ? "would be asked about" : "is not available"
      }
    let because = reason.hasPrefix(Self.byDecision) ? " \(reason)" : ": \(reason)"
    return "\(what) for \(console.visible(subject.name)) \(outlook)\(because)"
  }

  func json(_ subject: Subject, _ reference: CapabilityReference, _ catalogue: CapabilityCatalogue) -> JSON {
    let answer = end.map { $0.answer?.verdict.rawValue ?? "unavailable" } ?? "ask"
    return [
      "answer": .text(answer), "decided_by": counting.map { JSON($0.decision, catalogue) } ?? .null,
      "decisions": .list(decisions.map { JSON($0, catalogue) }), "program": JSON(subject),
      "reason": .text(reason), "requirement": JSON(reference.atoms, catalogue),
      "rule": JSON(counting?.rule.rawValue),
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

extension CapabilityDefinition {
  /// Whether a decision about one of these atoms can affect the other.
  fileprivate func isRelated(_ atom: Atom, _ other: Atom) -> Bool {
    (implies(atom, other) || implies(other, atom)) && atom.scope.overlaps(other.scope)
  }
}

extension DecidedAtoms.Ground {
  /// The reason in words, if the decision is about values.
  fileprivate func words(_ context: CommandContext) -> String? {
    isAboutValues ? reason(context.catalogue, context.console) : nil
  }
}

extension DecidedAtoms.HeldBack {
  /// - Parameter reason: The reason why what is asked for is asked about each time, if the values do not say it.
  fileprivate func words(
    _ catalogue: CapabilityCatalogue, _ console: Console, _ reason: String?
  ) -> String {
    let why = obstacle == .alwaysAsked ? reason.map { ", because \($0)" } ?? "" : ""
    return
      "\(console.visible(written: catalogue.text(decision.atom))) was allowed, but \(obstacle.words)\(why)"
  }
}

extension DecidedAtoms.Ground {
  /// Whether a value or everyone is involved, so that it takes more than a word to say why the decision counts.
  fileprivate var isAboutValues: Bool { rule != .narrowest || decision.atom.scope != .any }

  /// The reason in words, for a decision about values.
  fileprivate func reason(_ catalogue: CapabilityCatalogue, _ console: Console) -> String {
    let what = console.visible(written: catalogue.text(decision.atom))
    switch rule {
    case .everyone: return "\(what) is denied for everyone"
    case .inside: return "\(what), which is inside, was denied"
    case .narrowest: return "\(AnswerOutlook.byDecision)\(what)"
    case .name: return "\(what), which is another name of it, was denied"
    case .line: return "\(what), which is part of it, was \(decision.verdict.past)"
    }
  }
}
