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
    /// The request with the rest of its alert's content, if no other request shares the alert.
    var alert: RequestAlert
    /// The process whose end withdraws the request.
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
