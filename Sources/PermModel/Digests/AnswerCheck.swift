/// Why an answer does not count.
public enum AnswerRefused: Error, Hashable, Sendable {
  /// What was read is not what is asked now.
  case changed
  /// It says something that the alert did not offer: what, in words.
  case notOffered(String)
}

extension AnswerRefused: CustomStringConvertible {
  public var description: String {
    switch self {
    case .changed: "what you saw has changed; look again"
    case .notOffered(let what): "\(what); answer with what the alert offers"
    }
  }
}

extension RequestAlert {
  /// Checks that an answer says only what this alert offers: parts that were asked, for a lifetime that can be chosen.
  ///
  /// Every way to answer comes through here: a presenter in this process, a dashboard elsewhere, a command, a list.
  package func check(_ answer: Answer) throws(AnswerRefused) {
    let asked = choices.reduce(into: request.atoms) { $0.formUnion($1.atoms) }
    guard !answer.atoms.isEmpty, answer.atoms.isSubset(of: asked) else {
      throw .notOffered("these parts were not asked for")
    }
    if answer.mutes, answer.verdict == .allow {
      throw .notOffered("only a denial can mute the program")
    }
    try check(answer.lifetime, for: answer.verdict)
  }

  private func check(_ lifetime: LifetimeChoice, for verdict: Verdict) throws(AnswerRefused) {
    guard let offer = offer(of: lifetime) else { throw .notOffered("that lifetime is not on offer") }
    if let reason = offer.disabledReason { throw .notOffered("that lifetime is off: \(reason)") }
    if verdict == .allow, let reason = offer.denialOnlyReason {
      throw .notOffered("that lifetime is only for a denial: \(reason)")
    }
  }

  /// The offer that a lifetime belongs to. A time of another length, or up to a moment, is less than *forever*, and is
  /// on offer where that is.
  private func offer(of lifetime: LifetimeChoice) -> LifetimeOffer? {
    if let offer = lifetimes.first(where: { $0.choice == lifetime }) { return offer }
    switch lifetime {
    case .duration, .until: return lifetimes.first { $0.choice == .forever }
    case .once, .process, .session, .forever: return nil
    }
  }
}

extension Alert {
  /// Checks an answer that was given to an alert of this digest.
  package func check(_ answer: Answer, to digest: AlertDigest) throws(AnswerRefused) {
    guard digest == self.digest, case .request(let request) = content else { throw .changed }
    try request.check(answer)
  }
}

extension Answer {
  /// The answer with what a narrower yes leaves out of what was asked.
  package func withholding(from asked: Set<Atom>, _ definition: CapabilityDefinition) -> Answer {
    guard verdict == .allow else { return self }
    var full = self
    full.withheld = asked.filter { atom in !atoms.contains { definition.covers($0, atom) } }
    return full
  }
}
