extension StoreRows {
  mutating func open(_ request: Request, process: ProcessIdentity, at moment: Moment) throws -> RequestState {
    let state = try state(of: request)
    let waiting = WaitingRequest(request, process: request.evidence?.process ?? process)
    switch state {
    case .ended: return state
    case .waiting: try update(waiting)
    case .new:
      try put(waiting)
      try noteAsked(request.capability, at: request.askedAt)
      var entry = JournalEntry(.asked, request, by: nil, at: moment.wall)
      entry.text = request.reason
      try journal(entry)
    }
    return .waiting
  }

  func state(of request: Request) throws -> RequestState {
    if let waiting = try self.request(request.id)?.request {
      guard waiting.asksTheSame(as: request) else { throw StoreError.requestIDTaken(request.id) }
      return .waiting
    }
    let asked = try entries(JournalFilter(kinds: [.asked], request: request.id), .newest(1)).first
    guard let asked else { return .new }
    guard asked.tells(of: request) else { throw StoreError.requestIDTaken(request.id) }
    // The journal has no entry about a request after its end.
    let last = try entries(JournalFilter(request: request.id), .newest(1)).first
    return last.flatMap { $0.end == nil ? nil : .ended($0) } ?? .new
  }

  /// Updates the request's program to the one seen last: another process may ask again.
  private mutating func update(_ waiting: WaitingRequest) throws {
    guard let known = try request(waiting.id),
      known.process != waiting.process || AlertKey(known.request) != AlertKey(waiting.request)
    else { return }
    var waiting = waiting
    waiting.setAsideAt = known.setAsideAt
    try put(waiting)
  }

  mutating func noteShown(_ id: Request.ID, at moment: Moment) throws {
    guard let waiting = try request(id) else { return }
    try journal(JournalEntry(.shown, waiting.request, by: nil, at: moment.wall))
  }

  mutating func setAside(
    _ id: Request.ID, _ isSetAside: Bool, by origin: Origin, at moment: Moment
  ) throws {
    guard var waiting = try request(id), (waiting.setAsideAt != nil) != isSetAside else { return }
    waiting.setAsideAt = isSetAside ? moment.wall : nil
    try put(waiting)
    try journal(
      JournalEntry(isSetAside ? .setAside : .reopened, waiting.request, by: origin, at: moment.wall))
  }

  mutating func setTerminal(_ id: Request.ID, _ terminal: String?, at moment: Moment) throws {
    guard var waiting = try request(id), waiting.terminal != terminal else { return }
    waiting.terminal = terminal
    try put(waiting)
    guard terminal != nil else { return }
    try journal(JournalEntry(.shown, waiting.request, by: .terminal, at: moment.wall))
  }

  mutating func close(
    _ ids: [Request.ID], _ outcome: RequestOutcome, by origin: Origin, at moment: Moment
  ) throws -> ClosedRequests {
    let waiting = try ids.compactMap { try request($0) }
    for one in waiting {
      try removeRequest(one.id)
      try journal(JournalEntry(outcome, of: one.request, by: origin, at: moment.wall))
    }
    var closed = ClosedRequests(requests: waiting.map(\.request))
    guard case .answered(let answer) = outcome, let first = waiting.first else { return closed }
    closed.decisions = answer.rulings(for: first).flatMap { $0.decisions(by: origin, at: moment) }
    try keep(closed.decisions, as: .decided, by: origin, at: moment)
    return closed
  }

  mutating func withdrawAbandoned(at moment: Moment) throws -> [Request] {
    let abandoned = try waitingRequests().filter { !moment.isRunning($0.process) }
    for waiting in abandoned {
      try removeRequest(waiting.id)
      try journal(JournalEntry(.withdrawn, of: waiting.request, by: nil, at: moment.wall))
    }
    return abandoned.map(\.request)
  }
}

extension Request {
  /// Whether another request with the same ID is this one.
  fileprivate func asksTheSame(as other: Request) -> Bool {
    subject == other.subject && capability == other.capability && atoms == other.atoms
      && reason == other.reason
  }
}

extension JournalEntry {
  /// Whether this entry records the asking of a request, and not of another one with its ID.
  fileprivate func tells(of request: Request) -> Bool {
    subject == request.subject && capability == request.capability && text == request.reason
      && atoms.map(\.name).sorted().joined(separator: ",")
        == request.atoms.map(\.name).sorted().joined(separator: ",")
  }
}

extension Answer {
  /// Returns the decisions that an answer to a request leads to: its ruling, the denial of the parts that a narrower
  /// yes leaves out, and the mute that came with it.
  func rulings(for waiting: WaitingRequest) -> [Ruling] {
    let subject = waiting.request.subject
    let ruling = Ruling(
      verdict, subject: subject, atoms: atoms, lifetime: lifetime, note: note, process: waiting.process)
    var rulings = [ruling]
    if !withheld.isEmpty {
      rulings.append(
        Ruling(
          .deny, subject: subject, atoms: withheld, lifetime: lifetime, note: note, process: waiting.process))
    }
    if mutes { rulings.append(.mute(subject)) }
    return rulings
  }
}

extension JournalEntry {
  /// Makes an entry about a request's end.
  init(_ outcome: RequestOutcome, of request: Request, by origin: Origin?, at moment: Timestamp) {
    switch outcome {
    case .answered(let answer):
      self.init(.answered, request, by: origin, at: moment)
      atoms = answer.atoms
      verdict = answer.verdict
      text = answer.note
    case .automatic(let verdict, let reason):
      self.init(.automatic, request, by: origin, at: moment)
      self.verdict = verdict
      text = reason
    case .dismissed: self.init(.dismissed, request, by: origin, at: moment)
    case .withdrawn: self.init(.withdrawn, request, by: origin, at: moment)
    case .timedOut: self.init(.timedOut, request, by: origin, at: moment)
    }
  }
}
