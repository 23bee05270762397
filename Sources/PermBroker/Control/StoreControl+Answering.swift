package import PermModel

// The requests that wait in the store, and the answers to them.

extension StoreControl {
  package func pending() throws -> [PendingRequest] { try pending(atMost: nil).requests }

  /// Returns the requests that have waited the longest, and the number of all that wait.
  func pending(atMost limit: Int?) throws -> (requests: [PendingRequest], total: Int) {
    let waiting = try store.waitingRequests()
    let judgements = try waiting.map { try judge($0.request) }
    let crowd = Crowd(waiting.map(\.request), judgements)
    let longest = zip(waiting, judgements).prefix(limit ?? waiting.count)
    return (try longest.map { try question($0, $1, in: crowd).pending }, waiting.count)
  }

  package func answer(_ id: Request.ID, _ answer: Answer, to digest: AlertDigest) throws {
    let question = try question(id)
    // If no part of the request is still undecided, a decision, the policy or the panic key has settled it already.
    guard !question.open.isEmpty else { throw BrokerError.changed }
    do throws(AnswerRefused) {
      try question.pending.alert.check(answer, to: digest)
    } catch {
      throw BrokerError(error)
    }
    let answer = answer.withholding(from: question.open, question.definition)
    try check(id, store.answer(id, answer, by: answer.origin ?? origin))
  }

  /// Answers a request that was not shown to the person as an alert, if its id still belongs to the same request.
  ///
  /// - Throws: ``BrokerError/changed`` if a different request now waits under the same id.
  package func answer(_ request: Request, _ answer: Answer) throws {
    let pending = try question(request.id).pending
    guard AlertKey(pending.request) == AlertKey(request),
      pending.request.evidence?.process == request.evidence?.process
    else { throw BrokerError.changed }
    try self.answer(request.id, answer, to: pending.digest)
  }

  /// Records the answer that the person gave on the program's own terminal. It applies to this request only,
  /// and no decision is kept.
  ///
  /// - Returns: `false` if the request has ended, or if decisions, the policy, a mute or a panic have settled it
  ///   already.
  package func answer(_ id: Request.ID, onItsTerminal verdict: Verdict) throws -> Bool {
    guard let waiting = try store.waitingRequest(id) else { return false }
    let judgement = try judge(waiting.request)
    guard judgement.asks else { return false }
    return try !store.answer(id, Answer(verdict, atoms: judgement.open), by: .terminal).requests.isEmpty
  }

  package func dismiss(_ id: Request.ID) throws {
    _ = try question(id)
    try check(id, store.close(id, .dismissed, by: origin))
  }

  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if no request with that id is waiting.
  func waitingRequest(_ id: Request.ID) throws -> Request {
    guard let found = try store.waitingRequest(id) else {
      throw BrokerError.noSuchRequest(id.text)
    }
    return found.request
  }

  /// Checks that this call closed the request. If somebody else closed it earlier, throws an error.
  private func check(_ id: Request.ID, _ closed: ClosedRequests) throws(BrokerError) {
    if closed.requests.isEmpty { throw .noSuchRequest(id.text) }
  }

  // MARK: Questions

  /// A request as it would be shown to a person now.
  private struct OpenQuestion {
    var pending: PendingRequest
    var definition: CapabilityDefinition
    var open: Set<Atom>
  }

  private func judge(_ request: Request) throws -> Judgement {
    let reference = CapabilityReference(capability: request.capability, atoms: request.atoms)
    let definition = catalogue[request.capability]?.definition ?? .unknown(reference)
    return try store.judgement(on: request, definition, under: policy)
  }

  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if no request with that id is waiting.
  private func question(_ id: Request.ID) throws -> OpenQuestion {
    let all = try store.waitingRequests()
    guard let waiting = all.first(where: { $0.id == id }) else { throw BrokerError.noSuchRequest(id.text) }
    let request = waiting.request
    // A kept answer settles only requests of the same program for the same capability.
    let related = all.map(\.request).filter {
      $0.subject == request.subject && $0.capability == request.capability
    }
    return try question(waiting, judge(request), in: Crowd(related, related.map { try judge($0) }))
  }

  private func question(
    _ waiting: StoredRequest, _ judgement: Judgement, in crowd: Crowd
  ) throws -> OpenQuestion {
    let (request, open) = (waiting.request, judgement.open)
    var content = try RequestAlertMaker(request, judgement.definition)
      .alert(asking: open.isEmpty ? request.atoms : open, judgement.decided, in: store)
    content.countReach(among: crowd.beside(request), at: now)
    return OpenQuestion(
      pending: PendingRequest(waiting, content), definition: judgement.definition, open: open)
  }
}

/// The waiting requests, counted for each combination of program, capability, set of atoms, and facts.
private struct Crowd {
  private struct Side: Hashable {
    var subject: Subject
    var capability: String

    init(_ request: Request) { (subject, capability) = (request.subject, request.capability) }
  }

  private struct Question: Hashable {
    var atoms: Set<Atom>
    var facts: ValueFacts

    init(_ request: Request) { (atoms, facts) = (request.atoms, request.facts) }
  }

  private var sides: [Side: [Question: RequestsBeside]] = [:]

  init(_ requests: [Request], _ judgements: [Judgement]) {
    for (request, judgement) in zip(requests, judgements) {
      let none = RequestsBeside(judgement, count: 0)
      sides[Side(request), default: [:]][Question(request), default: none].count += 1
    }
  }

  /// Returns the same program's other requests for the same capability. Those that ask for the same are counted
  /// together.
  func beside(_ request: Request) -> [RequestsBeside] {
    (sides[Side(request)] ?? [:]).map { question, others in
      var others = others
      if question == Question(request) { others.count -= 1 }
      return others
    }
  }
}
