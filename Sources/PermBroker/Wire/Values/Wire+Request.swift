import PermModel

extension Wire {
  struct Question: Codable, Hashable, Sendable {
    var id: String
    var program: Program
    var capability: String
    var parts: [String]
    var values: [Value]?
    var reason: String?
    var lifetime: LifetimeChoice?
    var asked: Int64
    var expires: Int64?
    var evidence: Evidence?
    var details: Details?
    var facts: Facts?
  }

  /// Text that a request shows and that a decision never covers.
  struct Details: Codable, Hashable, Sendable {
    var text: String
    /// The number of lines that were left out at the end.
    var more: Int?
  }

  /// The facts that the broker found out about the values of a request.
  struct Facts: Codable, Hashable, Sendable {
    var paths: [PathFact]
    var project: ScopeFields?
    var forms: [String]
    var formsReason: String?
    var writer: String?
    var elsewhere: Bool
    var proxied: [String]?
    /// The name of a ``Dialect``. Other implementations of Varlink do not read a type with a single name.
    var dialect: String?
    var once: String?
    var protected: [ProtectedFact]?
  }

  struct PathFact: Codable, Hashable, Sendable {
    var scope: ScopeFields
    var spelling: ScopeFields?
    /// The path as the program wrote it, if it contains `..`.
    var written: String?
    var doubt: String?
    var device: Int64?
    var inode: Int64?
  }

  struct Waiting: Codable, Hashable, Sendable {
    var alert: RequestAlert
    var pid: Int32
    var started: Int64
    var aside: Int64?
    var terminal: String?
    var shown: Bool?
  }
}

extension Wire.Question {
  init(_ request: Request) {
    self.init(
      id: request.id.text, program: Wire.Program(request.subject), capability: request.capability,
      parts: request.atoms.wholeParts, values: request.atoms.wireValues, reason: request.reason,
      lifetime: request.suggestedLifetime.map(Wire.LifetimeChoice.init), asked: request.askedAt.microseconds,
      expires: request.givesUpAt?.microseconds, evidence: request.evidence.map(Wire.Evidence.init),
      details: request.details.map(Wire.Details.init),
      facts: request.facts == ValueFacts() ? nil : Wire.Facts(request.facts))
  }

  func checkedRequest() throws(BrokerError) -> Request {
    Request(
      id: Request.ID(id), subject: program.subject, capability: capability,
      atoms: try Set(capability, parts: parts, values: values), reason: reason,
      suggestedLifetime: lifetime.flatMap { try? $0.choice() }, askedAt: Timestamp(microseconds: asked),
      givesUpAt: expires.map(Timestamp.init(microseconds:)), evidence: evidence?.evidence,
      details: details?.details, facts: try facts?.facts() ?? ValueFacts())
  }
}

extension Wire.Details {
  init(_ details: ShownDetails) {
    self.init(text: details.text, more: details.linesLeftOut == 0 ? nil : details.linesLeftOut)
  }

  var details: ShownDetails { ShownDetails(text, linesLeftOut: more ?? 0) }

  /// Returns the details of a new request, or throws an error for the sender if they are not fit to be shown.
  func checked() throws(BrokerError) -> ShownDetails {
    try ForeignText.checked("details") { try ForeignText.check(details: text) }
    guard (more ?? 0) >= 0 else { throw .invalid(parameter: "details", reason: "more must not be negative") }
    return details
  }
}

extension Wire.Facts {
  init(_ facts: ValueFacts) {
    self.init(
      paths: facts.paths.map(Wire.PathFact.init), project: facts.project.map(ScopeFields.init),
      forms: facts.forms.sorted(), formsReason: facts.formsReason, writer: facts.writer,
      elsewhere: facts.isElsewhere, proxied: facts.proxied?.sorted(),
      dialect: facts.dialect?.rawValue,
      once: facts.onceReason, protected: facts.protected)
  }

  func facts() throws(BrokerError) -> ValueFacts {
    var facts = ValueFacts()
    facts.paths = try paths.map { path throws(BrokerError) in try path.fact() }
    facts.project = try project?.checked()
    facts.forms = Set(forms)
    facts.formsReason = formsReason
    facts.writer = writer
    facts.isElsewhere = elsewhere
    facts.proxied = proxied.map(Set.init)
    facts.dialect = dialect.flatMap(Dialect.init)
    facts.onceReason = once
    facts.protected = protected
    return facts
  }
}

extension Wire.PathFact {
  init(_ fact: PathFact) {
    self.init(
      scope: ScopeFields(fact.scope), spelling: fact.spelling.map(ScopeFields.init),
      written: fact.written, doubt: fact.doubt,
      device: fact.file.map { Int64(bitPattern: $0.device) },
      inode: fact.file.map { Int64(bitPattern: $0.inode) })
  }

  func fact() throws(BrokerError) -> PathFact {
    var file: LinkedFile?
    if let device, let inode {
      file = LinkedFile(device: UInt64(bitPattern: device), inode: UInt64(bitPattern: inode))
    }
    return PathFact(
      scope: try scope.checked(), spelling: try spelling?.checked(), written: written, doubt: doubt,
      file: file)
  }
}

extension Wire.Waiting {
  init(_ pending: PendingRequest) {
    let waiting = pending.waiting
    self.init(
      alert: Wire.RequestAlert(pending.content), pid: waiting.process.pid,
      started: Int64(bitPattern: waiting.process.startTime), aside: waiting.setAsideAt?.microseconds,
      terminal: waiting.terminal, shown: pending.isOnScreen ? true : nil)
  }

  var request: Wire.Question { alert.request }

  func pending() throws(BrokerError) -> PendingRequest {
    let waiting = StoredRequest(
      try request.checkedRequest(),
      process: ProcessIdentity(pid: pid, startTime: UInt64(bitPattern: started)),
      setAsideAt: aside.map(Timestamp.init(microseconds:)), terminal: terminal)
    var pending = PendingRequest(waiting, try alert.alert())
    pending.isOnScreen = shown ?? false
    return pending
  }
}

extension Methods.Request.Reply {
  /// Creates the reply that reports the outcome of a request.
  init(id: Request.ID, _ end: RequestEnd) {
    self.init(id: id.text, state: .init(end))
    if case .unavailable(let reason) = end { explanation = reason }
    if case .withdrawn(let reason) = end { explanation = reason }
    guard let answer = end.answer else { return }
    explanation = answer.reason
    kept = answer.isKept
    guard !answer.allowed.isEmpty || !answer.denied.isEmpty else { return }
    allowed = answer.allowed.wholeParts
    denied = answer.denied.wholeParts
    allowedValues = answer.allowed.wireValues
    deniedValues = answer.denied.wireValues
  }

  /// Returns the outcome of a request for some atoms of a capability; `nil` while the request is waiting. A
  /// denial that comes from decisions names no atoms.
  func end(
    of capability: String, asking atoms: Set<Atom>, at moment: Timestamp
  ) throws(BrokerError) -> RequestEnd? {
    func told(_ parts: [String]?, _ values: [Wire.Value]?) throws(BrokerError) -> Set<Atom>? {
      guard let parts else { return nil }
      return try Set(capability, parts: parts, values: values)
    }
    switch state {
    case .waiting: return nil
    case .allowed:
      let allowed = try told(allowed, allowedValues) ?? atoms
      var answer = GivenAnswer(.allow, allowed: allowed, at: moment, reason: explanation)
      answer.isKept = kept ?? false
      return .answered(answer)
    case .denied:
      var answer = GivenAnswer(
        .deny, allowed: try told(allowed, allowedValues) ?? [], denied: try told(denied, deniedValues) ?? [],
        at: moment, reason: explanation)
      answer.isKept = kept ?? false
      return .answered(answer)
    case .dismissed: return .dismissed
    case .timedOut: return .timedOut
    case .withdrawn: return .withdrawn(reason: explanation)
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
