import Operations
import PermModel

// The methods that programs call over the `ask` socket.

extension Broker {
  func makeRouter() -> CallRouter {
    var router = CallRouter { [self] peer, method in try admitChange(by: peer, at: method) }
    addAskMethods(to: &router)
    addOwnTerminalMethods(to: &router)
    addControlMethods(to: &router)
    addPresenterMethods(to: &router)
    return router
  }

  private func addAskMethods(to router: inout CallRouter) {
    router.add(Methods.Request.self, request)
    router.add(Methods.Status.self, status)
  }

  // MARK: Request

  private typealias Request = PermModel.Request

  private func request(
    _ parameters: Methods.Request.Parameters, from call: CallRouter.Call,
    _ send: @escaping CallRouter.Send<Methods.Request.Reply>
  ) async throws -> Methods.Request.Reply {
    let (seen, request) = try makeRequest(parameters, from: call.peer)
    let id = request.id
    // If the id belongs to another request, this check throws. It comes before the ledger reserves the id. Otherwise
    // the calling program could block the one to which the id belongs.
    _ = try store.state(of: request)
    let news = WaitingNews(id: id, presenters: presenters, send: send)
    let payer = Payer(seen, at: call.peer)
    let entry = AskingLedger.Entry(request: request, peer: call.peer, seen: seen, payer: payer) {
      if call.takesMore { await news.begin() }
    }
    if let mute = try ledger.mute(of: entry, in: store) { return await denyMuted(entry, mute) }
    guard ledger.enter(entry) else {
      throw BrokerError.invalid(parameter: "id", reason: "a request of this id waits already")
    }
    defer { ledger.leave(id) }
    let capability = try descriptor(of: request.capability).capability(asking: request.atoms)
    let reply: Methods.Request.Reply
    do {
      reply = try await withThrowingTaskGroup(of: Void.self) { [self] group in
        defer { group.cancelAll() }
        group.addTask { [self] in await news.goOn(unless: { isEnding }) { leaveTerminal(id) } }
        return try await authorize(capability, request, of: payer)
      }
    } catch let error as BrokerError {
      if case .tooMuch = error { await holdBack(payer.program) }
      throw error
    }
    if reply.state == .denied { try ledger.noteMute(of: entry, in: store) }
    // An allow decision applies only to the program that asked. By now, the process might be running another program.
    guard reply.state != .allowed || isSame(seen, at: call.peer) else {
      return .init(id: id, .withdrawn, explanation: "the program has changed since it asked")
    }
    return reply
  }

  /// Denies a request of a muted program that cannot be identified with certainty, and notes the denial.
  private func denyMuted(_ entry: AskingLedger.Entry, _ mute: Decision) async -> Methods.Request.Reply {
    let request = entry.request
    answers.note(
      AutomaticAnswer(
        .deny, subject: mute.subject, capability: request.capability, atoms: request.atoms, reason: "muted",
        decisions: [mute]))
    await holdBack(entry.payer.program)
    return .init(id: request.id, .answered(GivenAnswer(.deny, at: desk.now, reason: "muted")))
  }

  private func makeRequest(
    _ parameters: Methods.Request.Parameters, from peer: Peer
  ) throws -> (SeenProgram, Request) {
    let reference = try configuration.catalogue.reference(parameters.capability)
    if let reason = parameters.reason {
      try ForeignText.checked("reason") { try ForeignText.check(reason: reason) }
    }
    let (seen, subject) = try asker(at: peer, label: parameters.label)
    if let wait = parameters.milliseconds { try Self.check(wait: wait) }
    let now = desk.now
    let suggestion = try parameters.lifetime?.choice()
    try suggestion?.checkAhead(of: now)
    let id = Request.ID(try requestID(parameters.id))
    let request = Request(
      id: id, subject: subject, capability: reference.capability,
      atoms: reference.atoms, reason: parameters.reason, suggestedLifetime: suggestion,
      askedAt: ledger.askedAt(id) ?? now,
      givesUpAt: parameters.milliseconds.map { now + .milliseconds($0) }, evidence: seen.evidence)
    return (seen, request)
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
  private func requestID(_ chosen: String?) throws(BrokerError) -> String {
    guard let chosen else { return desk.makeID() }
    let isFit = chosen.utf8.allSatisfy("-0123456789abcdefghijklmnopqrstuvwxyz".utf8.contains)
    guard isFit, (16...64).contains(chosen.utf8.count) else {
      throw .invalid(parameter: "id", reason: "it must have 16 to 64 characters of a-z, 0-9 and -")
    }
    return chosen
  }

  /// Queues an operation that asks for permission, and waits for the answer. If the client disconnects, the request is
  /// withdrawn.
  private func authorize<C: CapabilityType>(
    _ capability: C, _ request: Request, of payer: Payer
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
      if !isMet, outcome.end == .known || outcome.end == .muted { await holdBack(payer.program) }
      return .init(id: request.id, store.end(of: request, outcome, isMet: isMet))
    } catch is CancellationError {
      return .init(id: request.id, .withdrawn, explanation: "the program changed while it waited")
    }
  }

  // MARK: Status

  private func status(
    _ parameters: Methods.Status.Parameters, from call: CallRouter.Call,
    _ send: @escaping CallRouter.Send<Methods.Status.Reply>
  ) async throws -> Methods.Status.Reply {
    let reference = try lookUp(parameters.capability)
    let (seen, subject) = try asker(at: call.peer, label: parameters.label, withChain: false)
    let descriptor = try descriptor(of: reference.capability)
    guard call.takesMore else { return try await status(of: subject, reference, descriptor) }
    let program = Payer(seen, at: call.peer).program
    try ledger.beginStream(of: program)
    defer { ledger.endStream(of: program) }
    var last: Methods.Status.Reply?
    for await _ in try desk.decisionChanges(for: subject, capability: reference.capability) {
      let now = try await status(of: subject, reference, descriptor)
      if now != last { try await send(now) }
      last = now
    }
    return try await status(of: subject, reference, descriptor)
  }

  private func status(
    of subject: Subject, _ reference: CapabilityReference, _ descriptor: CapabilityDescriptor
  ) async throws -> Methods.Status.Reply {
    let standing = try store.standing(of: subject, capability: reference.capability)
    let restricted = configuration.policy.restricted(for: subject, descriptor.definition)
    let decided = DecidedAtoms(descriptor.definition, standing: standing, restricted: restricted)
    let availability = await descriptor.availability(for: reference.atoms, in: configuration.probes)
    let report = descriptor.status(
      for: reference.atoms, from: CapabilityFacts(decided: decided, availability: availability))
    var reply = Methods.Status.Reply(
      met: report.isMet, summary: report.summary.rawValue, status: report.words,
      available: availability.isAvailable, decisions: standing.decisions.values.map(Wire.Decision.init))
    if case .unavailable(let why) = availability { reply.explanation = "\(why)" }
    reply.decisions.sort { $0.part < $1.part }
    reply.muted = standing.mute.map(Wire.Decision.init)
    reply.suspended = standing.suspension?.since.microseconds
    return reply
  }

  // MARK: Finding capabilities and programs

  /// Returns the capability and the parts to look up. Even a capability that can only be requested in parts can be
  /// looked up as a whole.
  private func lookUp(_ text: String) throws(BrokerError) -> CapabilityReference {
    guard let definition = configuration.catalogue[text]?.definition,
      (try? configuration.catalogue.parse(text)) == nil
    else { return try configuration.catalogue.reference(text) }
    return CapabilityReference(capability: text, atoms: Set(definition.atoms))
  }

  private func descriptor(of capability: String) throws(BrokerError) -> CapabilityDescriptor {
    guard let descriptor = configuration.catalogue[capability] else {
      throw .unknownCapability(reason: capability)
    }
    return descriptor
  }

  /// Returns the program at the other end of the connection, and the subject that stands for the program in the store.
  private func asker(
    at peer: Peer, label: String?, withChain: Bool = true
  ) throws(BrokerError) -> (SeenProgram, Subject) {
    guard let seen = configuration.witness.program(behind: peer, withChain: withChain) else {
      throw .disconnected
    }
    let subject = seen.subject(label: label)
    try ForeignText.checked("label") { try ForeignText.check(name: subject.label) }
    return (seen, subject)
  }

  private func isSame(_ seen: SeenProgram, at peer: Peer) -> Bool {
    configuration.witness.program(behind: peer, withChain: false)?.isSame(as: seen) ?? false
  }
}

/// The notifications that tell a client that its request is waiting, and how many dashboards can show the request. The
/// client is notified again whenever that number changes.
struct WaitingNews: Sendable {
  let id: Request.ID
  let presenters: AttachedPresenters
  let send: CallRouter.Send<Methods.Request.Reply>
  let told = AsyncStream.makeStream(of: Int.self)

  func begin() async {
    let count = presenters.count
    await tell(count)
    told.continuation.yield(count)
  }

  /// Continues the notifications that ``begin()`` started, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - isEnding: Whether the broker will stop soon. If so, the client is no longer notified.
  ///   - whenAttended: Called whenever the number of dashboards rises from zero, just before the client is notified.
  func goOn(unless isEnding: @Sendable () -> Bool, whenAttended: @Sendable () -> Void) async {
    for await first in told.stream {
      var last = first
      for await count in presenters.counts where count != last && !isEnding() {
        if last == 0 { whenAttended() }
        last = count
        await tell(count)
      }
    }
  }

  private func tell(_ count: Int) async {
    try? await send(.init(id: id.text, state: .waiting, presenters: count))
  }
}
