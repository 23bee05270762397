/// The meaning that decisions, the machine's policy, a panic and the facts have for a request.
package struct Judgement: Hashable, Sendable {
  package let subject: Subject
  /// The atoms that are asked for.
  package let atoms: Set<Atom>
  /// The decisions that were judged.
  package let standing: DecisionsInForce
  package internal(set) var decided: DecidedAtoms

  package var definition: CapabilityDefinition { decided.definition }

  /// The atoms that nobody has decided yet.
  package var open: Set<Atom> { decided.atoms(atoms, in: [.undecided]) }

  /// Whether a person must be asked.
  package var asks: Bool { standing.mute == nil && !open.isEmpty }

  /// Whether everything that is asked for is allowed.
  package var isAllowed: Bool { decided.allows(atoms) }

  /// The answer that the program would get now, and its cause.
  package var outlook: Outlook {
    Outlook(
      Set(atoms.map(decided.state)), mute: standing.mute?.lifetime,
      suspendedSince: standing.suspension?.since)
  }

  /// The decision that counts; `nil` if there is none.
  package var ground: DecidedAtoms.Ground? { decided.ground(of: atoms) }

  /// An allow that covers some of what is asked for without having an effect on it; `nil` if there is none.
  package var heldBack: DecidedAtoms.HeldBack? { decided.heldBack(atoms) }

  /// The reason in words why only an answer to this very request can allow it; `nil` if decisions can allow it, too.
  package var onceReason: String? { decided.facts.onceReason }

  /// Whether a command in the lines may be one that was denied.
  package var mayContainDenied: Bool { decided.deniedPerhaps(in: atoms) != nil }

  /// Returns the judgement with a person's answer to this very request.
  func answering(_ answer: GivenAnswer) -> Judgement {
    var copy = self
    copy.decided = decided.answering(answer)
    return copy
  }
}

// MARK: - Answers without a person

extension Judgement {
  private static let suspended = "all allows are suspended"
  private static let forbidden = "forbidden by the machine's policy"

  private var isForbidden: Bool { !decided.atoms(atoms, in: [.restricted]).isEmpty }

  /// The record of an answer that is given without asking anybody, with the decisions that count. An answer because of
  /// the machine's policy is recorded without decisions.
  package var use: AutomaticAnswer {
    let (isAllowed, decisions) = decided.outcome(of: atoms)
    let isRestricted = !isAllowed && isForbidden
    let decision = (isAllowed ? nil : decided.denialInside(atoms)) ?? "decided before"
    let reason = standing.suspension == nil ? decision : Self.suspended
    return AutomaticAnswer(
      isAllowed ? .allow : .deny, subject: subject, capability: definition.name, atoms: atoms,
      reason: isRestricted ? Self.forbidden : reason, decisions: isRestricted ? [] : decisions)
  }

  /// The answer of decisions that were made while the request waited, a mute and the panic among them; `nil` if a person
  /// must still be asked.
  package func endMeanwhile(at moment: Timestamp) -> GivenAnswer? {
    guard !asks else { return nil }
    let open = open
    let decision = open.isEmpty ? decided.denialInside(atoms) ?? "decided meanwhile" : "muted"
    return GivenAnswer(
      isAllowed ? .allow : .deny, denied: open, at: moment,
      reason: standing.suspension != nil ? "the panic" : decision)
  }

  /// Returns the reason in words why a request is not fully allowed; `nil` if the denial needs no explanation.
  ///
  /// - Parameter note: The note with which a person answered.
  package func refusal(note: String?) -> String? {
    if standing.suspension != nil { return Self.suspended }
    if isForbidden { return Self.forbidden }
    if let reason = decided.denialInside(atoms) ?? note { return reason }
    let allowed = standing.allowed.filter { decided.state(of: $0) == .allowed }.map(\.description).sorted()
    return allowed.isEmpty ? nil : "only \(allowed.joined(separator: ", ")) is allowed"
  }
}
