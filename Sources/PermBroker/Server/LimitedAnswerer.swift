import PermModel

/// The broker's answerer, which enforces the limits. It passes each request within the limits to the ``base`` answerer for an
/// answer. When the request begins to wait, it notifies the client.
struct LimitedAnswerer: PermissionAnswerer {
  let base: LocalAnswerer
  let ledger: AskingLedger
  /// Returns whether somebody sees the alerts that come up.
  let isAttended: @Sendable () -> Bool
  /// Returns the names of the programs that started a process, and of its own; `nil` if it is gone.
  let chain: @Sendable (ProcessIdentity) -> [String]?

  func answer(to asking: Asking) async throws -> RequestEnd {
    let request = asking.request
    guard ledger[request.id]?.needsDashboard != true || isAttended() else { return .nobodyThere }
    var asking = asking
    asking.request = addingChain(to: request)
    asking.charge = ledger.charge(for: request)
    asking.whenWaiting = { await ledger[request.id]?.announce() }
    do {
      return try await base.answer(to: asking)
    } catch let refusal as RequestLimits.Refusal {
      base.answers.note(
        AutomaticAnswer(
          .deny, subject: request.subject, capability: request.capability, atoms: request.atoms,
          reason: refusal.journalReason))
      throw BrokerError.tooMuch(reason: "\(refusal)")
    }
  }

  /// Returns a request with the chain of programs that started the one that asks. Only an alert shows it, so it is not
  /// looked up for a known answer.
  private func addingChain(to request: Request) -> Request {
    guard var evidence = request.evidence, !evidence.isSandboxed, evidence.walled == nil,
      let chain = chain(evidence.process)
    else {
      return request
    }
    evidence.chain = chain
    ledger.note(evidence, of: request.id)
    return request.with(evidence)
  }

  func end(of request: Request) throws -> RequestEnd? { try base.end(of: request) }

  func judgement(on atoms: Set<Atom>, _ values: Resolution, by judge: Judge) async throws -> Judgement {
    try await base.judgement(on: atoms, values, by: judge)
  }

  func decisionChanges(
    on atoms: Set<Atom>, _ values: Resolution, by judge: Judge
  ) throws -> AsyncStream<Void> {
    try base.decisionChanges(on: atoms, values, by: judge)
  }

  func record(_ answer: AutomaticAnswer) throws { try base.record(answer) }

  var now: Timestamp { base.now }
  func makeID() -> String { base.makeID() }
}

extension RequestLimits.Refusal {
  /// The reason to record in the journal. Refusals of the same kind use the same words, so the journal can sum them up.
  var journalReason: String {
    switch self {
    case .tooFast: "not asked: too many requests in a short time"
    case .tooManyWaiting: "not asked: too many requests of this program wait"
    case .tooManyOfFamily: "not asked: too many programs of one terminal or service in a short time"
    case .tooManyOfFamilyWaiting: "not asked: too many requests of one terminal or service wait"
    case .tooManyWaitingOverall: "not asked: too many requests wait"
    }
  }
}
