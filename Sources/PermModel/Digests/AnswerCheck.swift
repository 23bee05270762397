/// The reason why an answer, or another response to an alert, is not accepted.
public enum AnswerRefused: Error, Hashable, Sendable {
  /// The alert is not on this screen, or is being answered at another one.
  case notShown(Alert.ID)
  /// The alert has changed since the person read it.
  case changed
  /// The answer contains something that the alert did not offer, described in words.
  case notOffered(String)
}

extension AnswerRefused: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notShown: "this was answered or withdrawn"
    case .changed: "what you saw has changed; look again"
    case .notOffered(let what): "\(what); answer with what the alert offers"
    }
  }
}

extension RequestAlert {
  /// Checks that an answer contains only what this alert offers: parts that were asked for, and a lifetime
  /// that can be chosen.
  ///
  /// This check applies to every answer, whether it comes from a presenter in this process, a dashboard in
  /// another process, a command, or a list of requests.
  package func check(_ answer: Answer) throws(AnswerRefused) {
    guard !answer.atoms.isEmpty, let cover = cover(of: answer.atoms) else {
      throw .notOffered("these parts were not asked for")
    }
    if answer.mutes, answer.verdict == .allow {
      throw .notOffered("only a denial can mute the program")
    }
    try check(answer.lifetime, for: answer.verdict)
    if answer.verdict == .allow, let reason = cover.reason(against: answer.lifetime) {
      throw .notOffered("this cannot be allowed for that long: \(reason)")
    }
  }

  /// Returns the scope with which an answer's atoms, or more atoms than these, were offered together; `nil` if there is
  /// none.
  private func cover(of atoms: Set<Atom>) -> CoverOffer? {
    let asked = choices.map(\.atoms) + [request.atoms]
    return covers.first { cover in asked.contains { atoms.isSubset(of: cover.widening($0)) } }
  }

  private func check(_ lifetime: LifetimeChoice, for verdict: Verdict) throws(AnswerRefused) {
    guard let offer = offer(of: lifetime) else { throw .notOffered("that lifetime is not on offer") }
    if let reason = offer.disabledReason { throw .notOffered("that lifetime is off: \(reason)") }
    if verdict == .allow, let reason = offer.denialOnlyReason {
      throw .notOffered("that lifetime is only for a denial: \(reason)")
    }
  }

  /// Returns the offer that covers a lifetime. A duration or end time that is not listed permits less than *forever*,
  /// so the offer of *forever* covers it.
  private func offer(of lifetime: LifetimeChoice) -> LifetimeOffer? {
    if let offer = lifetimes.first(where: { $0.choice == lifetime }) { return offer }
    switch lifetime {
    case .duration, .until: return lifetimes.first { $0.choice == .forever }
    case .once, .process, .session, .forever: return nil
    }
  }
}

extension Alert {
  /// Checks an answer to the alert with the given digest. Refuses the answer if this alert has another digest, because
  /// then the alert has changed since the person read it.
  package func check(_ answer: Answer, to digest: AlertDigest) throws(AnswerRefused) {
    guard digest == self.digest, case .request(let request) = content else { throw .changed }
    try request.check(answer)
  }

  /// Checks any response to the alert with the given digest.
  func check(_ response: AlertResponse, to digest: AlertDigest) throws(AnswerRefused) {
    if case .answered(let answer) = response { return try check(answer, to: digest) }
    guard digest == self.digest else { throw .changed }
  }
}

extension Answer {
  /// Returns this answer with `withheld` set to the requested atoms that it leaves out. A denial is returned unchanged.
  package func withholding(from asked: Set<Atom>, _ definition: CapabilityDefinition) -> Answer {
    guard verdict == .allow else { return self }
    var full = self
    full.withheld = asked.filter { atom in !atoms.contains { definition.covers($0, atom) } }
    return full
  }
}
