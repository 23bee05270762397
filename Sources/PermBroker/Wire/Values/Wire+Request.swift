import PermModel

extension Wire {
  struct Question: Codable, Hashable, Sendable {
    var id: String
    var program: Program
    var capability: String
    var parts: [String]
    var reason: String?
    var lifetime: Lifetime?
    var asked: Int64
    var expires: Int64?
    var evidence: Evidence?
  }

  struct Waiting: Codable, Hashable, Sendable {
    var alert: RequestAlert
    var pid: Int32
    var started: Int64
    var aside: Int64?
    var terminal: String?
  }
}

extension Wire.Question {
  init(_ request: Request) {
    self.init(
      id: request.id.text, program: Wire.Program(request.subject), capability: request.capability,
      parts: request.atoms.map(\.name).sorted(), reason: request.reason,
      lifetime: request.suggestedLifetime.map(Wire.Lifetime.init), asked: request.askedAt.microseconds,
      expires: request.givesUpAt?.microseconds, evidence: request.evidence.map(Wire.Evidence.init))
  }

  var request: Request {
    Request(
      id: Request.ID(id), subject: program.subject, capability: capability,
      atoms: Set(parts.map { Atom(capability, $0) }), reason: reason,
      suggestedLifetime: lifetime.flatMap { try? $0.choice() }, askedAt: Timestamp(microseconds: asked),
      givesUpAt: expires.map(Timestamp.init(microseconds:)), evidence: evidence?.evidence)
  }
}

extension Wire.Waiting {
  init(_ pending: PendingRequest) {
    let waiting = pending.waiting
    self.init(
      alert: Wire.RequestAlert(pending.content), pid: waiting.process.pid,
      started: Int64(bitPattern: waiting.process.startTime), aside: waiting.setAsideAt?.microseconds,
      terminal: waiting.terminal)
  }

  var request: Wire.Question { alert.request }

  func pending() throws(BrokerError) -> PendingRequest {
    let waiting = WaitingRequest(
      request.request, process: ProcessIdentity(pid: pid, startTime: UInt64(bitPattern: started)),
      setAsideAt: aside.map(Timestamp.init(microseconds:)), terminal: terminal)
    return PendingRequest(waiting, try alert.alert())
  }
}

extension Methods.Request.Reply {
  /// Creates the reply that reports the outcome of a request.
  ///
  /// - Parameter explanation: The reason, in words, if the outcome alone does not say enough.
  init(id: Request.ID, _ end: RequestEnd, explanation: String? = nil) {
    self.init(id: id.text, state: .init(end), explanation: explanation)
    if case .unavailable(let reason) = end { self.explanation = reason }
    guard let answer = end.answer else { return }
    self.explanation = answer.reason
    guard !answer.allowed.isEmpty || !answer.denied.isEmpty else { return }
    allowed = answer.allowed.map(\.name).sorted()
    denied = answer.denied.map(\.name).sorted()
  }

  /// Returns the outcome of a request for some atoms of a capability; `nil` while the request is waiting. A
  /// denial that comes from decisions names no atoms.
  func end(of capability: String, asking atoms: Set<Atom>, at moment: Timestamp) -> RequestEnd? {
    func told(_ names: [String]?) -> Set<Atom>? { names.map { Set($0.map { Atom(capability, $0) }) } }
    switch state {
    case .waiting: return nil
    case .allowed:
      return .answered(GivenAnswer(.allow, allowed: told(allowed) ?? atoms, at: moment, reason: explanation))
    case .denied:
      return .answered(
        GivenAnswer(
          .deny, allowed: told(allowed) ?? [], denied: told(denied) ?? [], at: moment, reason: explanation))
    case .dismissed: return .dismissed
    case .timedOut: return .timedOut
    case .withdrawn: return .withdrawn
    case .unavailable: return .unavailable(reason: explanation ?? "not available")
    }
  }
}

extension Methods.Request.State {
  fileprivate init(_ end: RequestEnd) {
    self =
      switch end {
      case .answered(let answer): answer.verdict == .allow ? .allowed : .denied
      case .dismissed, .nobodyThere: .dismissed
      case .timedOut: .timedOut
      case .withdrawn: .withdrawn
      case .unavailable: .unavailable
      }
  }
}
