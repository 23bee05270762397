/// The reason why a program cannot use a capability now.
public enum AuthorizationRefusal: Hashable, Sendable {
  /// This machine does not have the capability.
  case unavailable(Unavailability)
  /// The machine's policy forbids it, so nobody can allow it.
  case restricted
  /// A person has denied at least part of it, with a note or not.
  case denied(note: String? = nil)
  /// A person has ended the question without an answer.
  case dismissed
  /// No answer came within the time that the program waits.
  case timedOut
  case nobodyThere
  /// The request was withdrawn, for example because the program's file was replaced. The reason is in words.
  case withdrawn(reason: String?)
  /// The question could not be asked. The reason is in words.
  case failed(reason: String)
}

extension AuthorizationRefusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unavailable(let why): "not available: \(why)"
    case .restricted: "forbidden by the machine's policy"
    case .denied(let note): note.map { "denied: \($0)" } ?? "denied"
    case .dismissed: "not answered"
    case .timedOut: "not answered in time"
    case .nobodyThere: "nobody is there to answer"
    case .withdrawn(let reason): reason.map { "withdrawn: \($0)" } ?? "withdrawn"
    case .failed(let reason): "could not be asked: \(reason)"
    }
  }
}

extension AuthorizationRefusal {
  /// Creates the reason why atoms are not allowed; `nil` if nobody has decided about them yet.
  init?(_ end: AuthorizationEnd, _ facts: CapabilityFacts, _ atoms: Set<Atom>) {
    switch end {
    case .asked(.dismissed): self = .dismissed
    case .asked(.timedOut): self = .timedOut
    case .asked(.nobodyThere): self = .nobodyThere
    case .asked(.withdrawn(let reason)): self = .withdrawn(reason: reason)
    case .asked(.unavailable(let reason)): self = .unavailable(Unavailability(reason: reason, remedy: ""))
    case .muted: self = .denied()
    case .known, .asked(.answered):
      guard let reason = Self.reason(facts.decided, atoms, end.answer) else { return nil }
      self = reason
    }
  }

  private static func reason(
    _ decided: DecidedAtoms, _ atoms: Set<Atom>, _ answer: GivenAnswer?
  ) -> AuthorizationRefusal? {
    if !decided.atoms(atoms, in: [.restricted]).isEmpty { return .restricted }
    guard !decided.atoms(atoms, in: [.denied]).isEmpty else { return nil }
    return .denied(note: answer?.reason ?? decided.decisions(behind: atoms).lazy.compactMap(\.note).first)
  }
}
