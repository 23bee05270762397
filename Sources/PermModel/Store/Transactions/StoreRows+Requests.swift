extension StoreRows {
  func open(_ request: Request, process: ProcessIdentity, at moment: Moment) throws -> RequestState {
    let state = try state(of: request)
    let waiting = StoredRequest(request, process: request.evidence?.process ?? process)
    switch state {
    case .ended: return state
    case .waiting: try update(waiting)
    case .new:
      try put(waiting)
      try noteAsked(request.capability, at: request.askedAt)
      try journalAsked(request, at: moment)
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
    // The request is no longer waiting, so it has ended, and its last entry is about its end.
    let ends = JournalFilter(kinds: JournalEntry.Kind.untilEnd, request: request.id)
    let last = try entries(ends, .newest(1)).first
    return last.flatMap(RequestEnd.init).map { .ended($0) } ?? .new
  }

  /// Replaces the process and program of a waiting request with those that asked most recently, because another process
  /// can repeat the request.
  private func update(_ waiting: StoredRequest) throws {
    guard let known = try request(waiting.id),
      known.process != waiting.process || AlertKey(known.request) != AlertKey(waiting.request)
    else { return }
    var waiting = waiting
    waiting.setAsideAt = known.setAsideAt
    try put(waiting)
  }

  /// Replaces a waiting request, and returns whether it still waits. The journal says what is asked for now, by which a
  /// program that repeats its request gets the same end.
  func replace(_ request: Request, at moment: Moment) throws -> Bool {
    guard var waiting = try self.request(request.id) else { return false }
    waiting.request = request
    try put(waiting)
    try journalAsked(request, at: moment)
    return true
  }

  private func journalAsked(_ request: Request, at moment: Moment) throws {
    var entry = JournalEntry(.asked, request, by: nil, at: moment.wall)
    entry.text = request.reason
    entry.details = request.details?.digest
    try journal(entry)
  }

  func noteShown(_ id: Request.ID, at moment: Moment) throws {
    guard let waiting = try request(id) else { return }
    try journal(JournalEntry(.shown, waiting.request, by: nil, at: moment.wall))
  }

  func setAside(
    _ id: Request.ID, _ isSetAside: Bool, by origin: Origin, at moment: Moment
  ) throws {
    guard var waiting = try request(id), (waiting.setAsideAt != nil) != isSetAside else { return }
    waiting.setAsideAt = isSetAside ? moment.wall : nil
    try put(waiting)
    try journal(
      JournalEntry(isSetAside ? .setAside : .reopened, waiting.request, by: origin, at: moment.wall))
  }

  func setTerminal(_ id: Request.ID, _ terminal: String?, at moment: Moment) throws {
    guard var waiting = try request(id), waiting.terminal != terminal else { return }
    waiting.terminal = terminal
    try put(waiting)
    guard terminal != nil else { return }
    try journal(JournalEntry(.shown, waiting.request, by: .terminal, at: moment.wall))
  }

  func answer(
    _ ids: [Request.ID], _ answer: Answer, by origin: Origin, at moment: Moment
  ) throws -> ClosedRequests {
    let closed = try close(ids) { JournalEntry(answer, to: $0, by: origin, at: moment.wall) }
    guard let first = closed.first else { return ClosedRequests() }
    let decisions = answer.rulings(for: first).flatMap { $0.decisions(by: origin, at: moment) }
    try keep(decisions, as: .decided, by: origin, at: moment)
    return ClosedRequests(requests: closed.map(\.request), decisions: decisions)
  }

  func close(
    _ ids: [Request.ID], _ end: RequestEnd, by origin: Origin?, at moment: Moment
  ) throws -> ClosedRequests {
    let closed = try close(ids) { JournalEntry(end, of: $0, by: origin, at: moment.wall) }
    return ClosedRequests(requests: closed.map(\.request))
  }

  /// Removes those of the given requests that are still waiting, journals their end, and returns them.
  private func close(
    _ ids: [Request.ID], _ entry: (Request) -> JournalEntry
  ) throws -> [StoredRequest] {
    let waiting = try ids.compactMap { try request($0) }
    for one in waiting {
      try removeRequest(one.id)
      try journal(entry(one.request))
    }
    return waiting
  }

  func withdrawAbandoned(at moment: Moment) throws -> [Request] {
    let abandoned = try waitingRequests().filter { !moment.isRunning($0.process) }
    return try close(abandoned.map(\.id), .withdrawn(reason: RequestEnd.processGone), by: nil, at: moment)
      .requests
  }
}

extension Request {
  /// Whether another request with the same ID asks for the same thing as this one. The same path can lead to another file
  /// by now, so paths are compared as the program spelled them.
  package func asksTheSame(as other: Request) -> Bool {
    subject == other.subject && capability == other.capability && atomsAsSpelled == other.atomsAsSpelled
      && reason == other.reason && details == other.details
  }
}

extension JournalEntry {
  /// Whether this entry describes the given request, and not a different request with the same ID.
  fileprivate func tells(of request: Request) -> Bool {
    subject == request.subject && capability == request.capability && text == request.reason
      && (atoms == request.atoms || atoms == request.atomsAsSpelled) && details == request.details?.digest
  }
}

extension Answer {
  /// Returns the rulings that follow from this answer to a request: the ruling on the answered parts, a
  /// denial of the parts that the answer withholds, and a mute if the answer includes one.
  func rulings(for waiting: StoredRequest) -> [Ruling] {
    let subject = waiting.request.subject
    let ruling = Ruling(
      verdict, subject: subject, atoms: atoms, lifetime: lifetime, note: note, process: waiting.process)
    var rulings = [ruling]
    if !withheld.isEmpty {
      rulings.append(
        Ruling(
          .deny, subject: subject, atoms: withheld, lifetime: lifetime, note: note, process: waiting.process))
    }
    if mutes { rulings.append(mute(waiting)) }
    return rulings
  }

  /// Returns the mute of the program that asked: until its run ends if the answer holds until then, else for an hour.
  private func mute(_ waiting: StoredRequest) -> Ruling {
    guard lifetime == .process, waiting.request.evidence?.walled != nil else {
      return .mute(waiting.request.subject)
    }
    var mute = Ruling.mute(waiting.request.subject, for: .process)
    mute.process = waiting.process
    return mute
  }
}

extension JournalEntry {
  fileprivate init(_ answer: Answer, to request: Request, by origin: Origin, at moment: Timestamp) {
    self.init(.answered, request, by: origin, at: moment)
    atoms = answer.atoms
    verdict = answer.verdict
    text = answer.note
    isKept = answer.isKept
  }

  /// Creates the entry about the end of a request that no person answered.
  fileprivate init(_ end: RequestEnd, of request: Request, by origin: Origin?, at moment: Timestamp) {
    let kind: Kind =
      switch end {
      case .answered: .automatic
      case .dismissed, .nobodyThere, .unavailable: .dismissed
      case .withdrawn: .withdrawn
      case .timedOut: .timedOut
      }
    self.init(kind, request, by: origin, at: moment)
    verdict = end.answer?.verdict
    text = end.reason
  }
}
