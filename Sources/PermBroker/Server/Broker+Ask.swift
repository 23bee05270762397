import Operations
import PermModel

// The methods that programs call over the `ask` socket.

extension Broker {
  func makeRouter() -> CallRouter {
    var router = CallRouter { [self] peer, method in try admitChange(by: peer, at: method) }
    addAskMethods(to: &router)
    addOwnTerminalMethods(to: &router)
    addVouchingMethods(to: &router)
    addControlMethods(to: &router)
    addDashboardMethods(to: &router)
    addRunMethods(to: &router)
    return router
  }

  private func addAskMethods(to router: inout CallRouter) {
    router.add(Methods.Request.self, request)
    router.add(Methods.Withdraw.self) { [self] parameters, call, _ in
      try withdraw(parameters, from: call.peer)
    }
    router.add(Methods.Unasked.self) { [self] parameters, call, _ in
      try noteUnasked(parameters, from: call.peer)
      return .init()
    }
    router.add(Methods.Status.self, status)
  }

  // MARK: Request

  private typealias Request = PermModel.Request

  private func request(
    _ parameters: Methods.Request.Parameters, from call: CallRouter.Call,
    _ send: @escaping CallRouter.Send<Methods.Request.Reply>
  ) async throws -> Methods.Request.Reply {
    var call = call
    call.peer.keyUsers = try parameters.checkedKeyUsers()
    var (seen, subject) = try asker(
      at: call.peer, label: parameters.label, isInFolder: parameters.inFolder ?? false, withChain: false)
    // A helper's question has no program that a kept denial could be about. An agent in its folder has one.
    if parameters.onceOnly ?? false, subject.folder == nil { seen.limitToOnce() }
    if let end = try await allowedBehindWalls(parameters, of: seen, as: subject, at: call.peer) { return end }
    if let end = try await settleUpdate(parameters, of: seen, as: subject, from: call, send) { return end }
    return try await answer(parameters, of: seen, as: subject, from: call, send)
  }

  /// Answers a request that a program makes for itself, or for another program for which it vouches.
  func answer(
    _ parameters: Methods.Request.Parameters, of seen: IdentifiedProgram, as subject: Subject,
    from call: CallRouter.Call,
    _ send: @escaping CallRouter.Send<Methods.Request.Reply>
  ) async throws -> Methods.Request.Reply {
    let (asked, request) = try await makeRequest(parameters, of: seen, as: subject)
    let news = WaitingNews(id: request.id, keeper: keeper, send: send)
    let account =
      subject.isVouched
      ? CostAccount(ProgramKey(subject), in: call.peer.family)
      : CostAccount(seen, at: call.peer, in: subject.folder)
    var entry = AskingLedger.Entry(request: request, peer: call.peer, seen: seen, account: account) {
      if call.takesMore { await news.begin() }
    }
    (entry.group, entry.mark) = (parameters.group, parameters.mark)
    entry.isPatient = parameters.patient ?? false
    entry.needsDashboard = parameters.attended ?? false
    return try await answer(entry, asking: asked) { [self] in
      await news.goOn(unless: { isEnding }) { leaveTerminal(request.id) }
    }
  }

  /// Asks about a request, unless decisions cover it, and waits for the answer.
  ///
  /// - Parameter meanwhile: Runs while the request waits.
  func answer(
    _ entry: AskingLedger.Entry, asking asked: AskedValues,
    meanwhile: @escaping @Sendable () async -> Void = {}
  ) async throws -> Methods.Request.Reply {
    var entry = entry
    let (request, id, account) = (entry.request, entry.request.id, entry.account)
    // If the id belongs to another request, this check throws. It comes before the ledger reserves the id. Otherwise
    // the calling program could block the one to which the id belongs.
    _ = try store.state(of: request)
    entry.askAgainIfChanged = { [self] in await askAgainIfChanged(id, asked) }
    if let mute = try ledger.mute(of: entry, in: store) { return await denyMuted(entry, mute) }
    guard ledger.enter(entry) else {
      throw BrokerError.invalid(parameter: "id", reason: "a request of this id waits already")
    }
    defer { ledger.leave(id) }
    let reply: Methods.Request.Reply
    do {
      reply = try await withThrowingTaskGroup(of: Void.self) { [self] group in
        defer { group.cancelAll() }
        group.addTask(operation: meanwhile)
        return try await authorize(request, asking: asked, of: account)
      }
    } catch let error as BrokerError {
      if case .tooMuch = error { await holdBack(account.program) }
      throw error
    }
    return try judge(reply, to: entry)
  }

  /// Returns the final reply to a request that has ended.
  private func judge(
    _ reply: Methods.Request.Reply, to entry: AskingLedger.Entry
  ) throws -> Methods.Request.Reply {
    var reply = reply
    if reply.state == .withdrawn, ledger[entry.request.id]?.isAnsweredThere == true {
      reply.explanation = RequestEnd.answeredInAgent
    }
    if reply.state == .denied { try ledger.noteMute(of: entry, in: store) }
    // An allow decision applies only to the program that asked. By now, the process might be running another program.
    guard reply.state != .allowed || entry.isBehindWalls || isSame(entry.seen, at: entry.peer) else {
      return .init(id: entry.request.id, .withdrawn(reason: RequestEnd.programChanged))
    }
    if reply.state == .allowed { ledger.noteAllowed(entry) }
    return reply
  }

  /// Denies a request of a muted program that cannot be identified with certainty, and notes the denial.
  private func denyMuted(_ entry: AskingLedger.Entry, _ mute: Decision) async -> Methods.Request.Reply {
    let request = entry.request
    answers.note(
      AutomaticAnswer(
        .deny, subject: mute.subject, capability: request.capability, atoms: request.atoms, reason: "muted",
        decisions: [mute]))
    await holdBack(entry.account.program)
    return .init(id: request.id, .answered(GivenAnswer(.deny, at: answerer.now, reason: "muted")))
  }

  func makeRequest(
    _ parameters: Methods.Request.Parameters, of seen: IdentifiedProgram, as subject: Subject
  ) async throws -> (AskedValues, PermModel.Request) {
    var asked = try settings.catalogue.asked(
      parameters.capability, parts: parameters.parts, values: parameters.values)
    if parameters.onceOnly ?? false { asked.onceReason = "this is asked about each time" }
    if parameters.folderUnknown ?? false {
      asked.dialect = .codex
      if asked.lines.isEmpty { asked.onceReason = AllowLimit.unknownPlace }
    }
    if let reason = parameters.reason {
      try ForeignText.checked("reason") { try ForeignText.check(reason: reason) }
    }
    for (name, tag) in [("group", parameters.group), ("mark", parameters.mark)] { try Self.check(name, tag) }
    if let wait = parameters.milliseconds { try Self.check(wait: wait) }
    let now = answerer.now
    let suggestion = try parameters.lifetime?.choice()
    try suggestion?.checkAhead(of: now)
    let id = Request.ID(try requestID(parameters.id))
    let found = try await resolve(asked, for: seen, subject)
    let request = Request(
      id: id, subject: subject, capability: asked.capability,
      atoms: found.atoms, reason: parameters.reason, suggestedLifetime: suggestion,
      askedAt: ledger.askedAt(id) ?? now,
      givesUpAt: parameters.milliseconds.map { now + .milliseconds($0) }, evidence: seen.evidence,
      details: try parameters.details?.checked(), facts: found.facts)
    return (asked, request)
  }

  private static func check(_ name: String, _ tag: String?) throws(BrokerError) {
    guard let tag, !(1...128).contains(tag.utf8.count) else { return }
    throw .invalid(parameter: name, reason: "it must have 1 to 128 bytes")
  }

  private static func check(wait: Int64) throws(BrokerError) {
    if wait < 0 {
      throw .invalid(parameter: "milliseconds", reason: "it must not be negative")
    }
    if .milliseconds(wait) > LifetimeChoice.longest {
      throw .invalid(parameter: "milliseconds", reason: "at most 100 years; leave it out for no limit")
    }
  }

  /// Returns the id that the client chose, after checking the id's length and characters. If the client chose none,
  /// returns a new id.
  func requestID(_ chosen: String?) throws(BrokerError) -> String {
    guard let chosen else { return answerer.makeID() }
    let isFit = chosen.utf8.allSatisfy("-0123456789abcdefghijklmnopqrstuvwxyz".utf8.contains)
    guard isFit, (16...64).contains(chosen.utf8.count) else {
      throw .invalid(parameter: "id", reason: "it must have 16 to 64 characters of a-z, 0-9 and -")
    }
    return chosen
  }

  /// Asks for permission. If the values turn out to mean something else when the request is answered, asks again.
  private func authorize(
    _ request: Request, asking asked: AskedValues, of account: CostAccount
  ) async throws -> Methods.Request.Reply {
    var request = request
    var isAgain = false
    do {
      while true {
        do {
          let capability = try descriptor(of: request.capability).capability(asking: request.atoms)
          return try await authorize(capability, request, isAgain: isAgain, asking: asked, of: account)
        } catch is AskedAgain {
          isAgain = true
          request = try await current(request, asked)
        }
      }
    } catch  where isAgain && !isStopping {
      // The request was left in the store while its values were looked up.
      _ = try? store.close(request.id, .withdrawn(), by: .broker)
      throw error
    }
  }

  /// Queues an operation that asks for permission, and waits for the answer. If the client disconnects, the request is
  /// withdrawn.
  ///
  /// - Parameter isAgain: Whether the request has waited in the store before.
  private func authorize<C: CapabilityType>(
    _ capability: C, _ request: Request, isAgain: Bool, asking asked: AskedValues, of account: CostAccount
  ) async throws -> Methods.Request.Reply {
    let handle = configuration.queue.add(
      Authorize(
        capability, authorizer: authorizer.acting(for: request.subject, evidence: request.evidence),
        details: RequestDetails(request)))
    ledger.begin(request.id) { handle.cancel() }
    do {
      let outcome = try await withTaskCancellationHandler {
        try await handle.value
      } onCancel: { [self] in
        // When the broker stops, the request must stay in the store for the next broker, so it is not cancelled.
        if !isStopping { handle.cancel() }
      }
      let isMet = outcome.status.meets(capability.requirement)
      // The request was denied without asking a person. If a program receives many such denials, they are delayed.
      if !isMet, outcome.end == .known || outcome.end == .muted { await holdBack(account.program) }
      let end = store.end(
        of: request, outcome, isMet: isMet, capability.definition, under: settings.policy)
      if isAgain { try store.close(request.id, end, by: .broker) }
      // The paths of the request were resolved before a person was asked, or before it was to be asked again. Until now,
      // they can have come to lead elsewhere.
      var mayHaveChanged = isAgain
      if case .asked = outcome.end { mayHaveChanged = true }
      if isMet, mayHaveChanged, await hasChanged(request.id, asked) {
        return .init(id: request.id, .withdrawn(reason: RequestEnd.pathChanged))
      }
      return .init(id: request.id, end.naming(request, capability.definition))
    } catch is CancellationError {
      let end = RequestEnd.withdrawn(reason: RequestEnd.programChanged)
      if isAgain, !isStopping { try store.close(request.id, end, by: .broker) }
      return .init(id: request.id, end)
    }
  }
}
