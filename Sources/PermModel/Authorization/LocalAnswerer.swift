import Machine
import Operations

/// A answerer that uses a store and a modal slot of this process to answer requests.
///
/// The requests wait on the board of the slot, for which the answerer makes the alerts and stores the answers. A decision that
/// anyone makes in the meantime ends the requests that the decision covers. A decision, its journal entry and the end of
/// the requests are written to the store as a single change.
package final class LocalAnswerer: PermissionAnswerer {
  let store: any PermissionStore
  let keeper: BoardKeeper
  private let settings: Lock<Settings>
  /// The origin that is recorded for answers without an origin of their own.
  let origin: Origin
  let clock: any Clock<Duration>
  /// The book in which automatic answers are noted until they are in the store.
  package let answers: AutomaticAnswerBook
  /// Looks at the programs and the values of requests once more, before an answer to them takes effect, and returns those
  /// that must not be answered.
  let beforeAnswer: @Sendable ([Request.ID]) async -> Set<Request.ID>
  private let watcher = Lock<Task<Void, Never>?>(nil)
  private let isHandedOver = Lock(false)

  private struct Settings: Sendable {
    var environment: ProbeEnvironment
    var policy = MachinePolicy.none
    /// Returns the capability that a request asks for, as it is configured now; `nil` if it is that of the time of asking.
    var configured: ConfiguredCapability?
  }

  /// - Parameters:
  ///   - clock: The clock that measures how long requests wait.
  ///   - answers: The book that notes automatic answers; `nil` for a book of this answerer's own.
  ///   - beforeAnswer: Looks at the programs and the values of requests once more, before an answer to them takes effect,
  ///     and returns those that must not be answered.
  package init(
    store: any PermissionStore, slot: ModalSlot, environment: ProbeEnvironment = .current,
    origin: Origin = .library, clock: any Clock<Duration> = QuietClock(),
    answers: AutomaticAnswerBook? = nil,
    beforeAnswer: @escaping @Sendable ([Request.ID]) async -> Set<Request.ID> = { _ in [] }
  ) {
    self.store = store
    self.answers = answers ?? AutomaticAnswerBook(store)
    keeper = slot.keeper
    settings = Lock(Settings(environment: environment))
    self.beforeAnswer = beforeAnswer
    self.origin = origin
    self.clock = clock
  }

  deinit { watcher.withLock { $0 }?.cancel() }

  /// The environment that probes and explanations examine.
  var environment: ProbeEnvironment { settings.withLock { $0.environment } }
  var policy: MachinePolicy { settings.withLock { $0.policy } }

  /// A function that returns the capability that a request asks for; `nil` if it is not configured any more.
  package typealias ConfiguredCapability = @Sendable (Request) -> (any CapabilityType)?

  /// Sets the environment that is examined, the policy that counts, and the capabilities as they are configured from now
  /// on. They also hold for requests that wait already, and what is on the screens is made again.
  package func use(
    _ environment: ProbeEnvironment, _ policy: MachinePolicy, _ configured: @escaping ConfiguredCapability
  ) {
    settings.withLock { $0 = Settings(environment: environment, policy: policy, configured: configured) }
    keeper.settingsChanged()
  }

  /// Returns the capability that a request asks for, as it is configured now.
  func capability(of asking: Asking) -> (definition: CapabilityDefinition, type: any CapabilityType) {
    let request = asking.request
    guard let configured = settings.withLock({ $0.configured }) else {
      return (asking.capability.definition, asking.capability)
    }
    guard let found = configured(request) else {
      let reference = CapabilityReference(capability: request.capability, atoms: request.atoms)
      return (.unknown(reference), asking.capability)
    }
    return (found.definition, found)
  }

  package var now: Timestamp { store.environment.now().wall }

  package func makeID() -> String { store.environment.makeID() }

  package func judgement(
    on atoms: Set<Atom>, _ values: Resolution, by judge: Judge
  ) async throws -> Judgement {
    switch values {
    case .done(let facts): return try store.judgement(on: atoms, facts, by: judge)
    case .needed(let process):
      let found = try await resolve(atoms, by: process, for: judge, forAlert: false)
      return try store.judgement(on: found.atoms, found.facts, by: judge)
    }
  }

  private func resolve(
    _ atoms: Set<Atom>, by process: AskingProcess, for judge: Judge, forAlert: Bool
  ) async throws -> ResolvedValues {
    let asked = AskedValues(CapabilityReference(capability: judge.definition.name, atoms: atoms))
    return try await Lookup(in: store, home: environment.home)
      .resolve(asked, by: process, for: judge, forAlert: forAlert)
  }

  package func record(_ answer: AutomaticAnswer) throws(StoreError) { try answers.record(answer) }

  package func end(of request: Request) throws(StoreError) -> RequestEnd? {
    if case .ended(let end) = try store.state(of: request) { end } else { nil }
  }

  package func answer(to asking: Asking) async throws -> RequestEnd {
    var asking = asking
    if let process = asking.spelledBy {
      let judge = Judge(of: asking.request.subject, asking.capability.definition, under: asking.policy)
      let found = try await resolve(asking.request.atoms, by: process, for: judge, forAlert: true)
      asking.request = asking.request.asking(found.atoms, found.facts)
    }
    return try await answer(toResolved: asking)
  }

  private func answer(toResolved asking: Asking) async throws -> RequestEnd {
    try watchStore()
    let waiter = RequestWaiter(asking)
    // The request is on the board before other processes can see it in the store, so that their answers always find it.
    // Its alert is made while the request is being written, and shown only after that.
    try keeper.ask(question(asking), waiter, from: self)
    if let end = try open(waiter) { return end }
    await asking.whenWaiting?()
    let deadline = asking.request.givesUpAt.map { giveUp(waiter.request.id, at: $0) }
    defer { deadline?.cancel() }
    let outcome = await withTaskCancellationHandler {
      await waiter.outcome.value
    } onCancel: {
      keeper.leave(waiter.request.id, .left)
    }
    return try end(of: waiter.request, outcome)
  }

  /// Returns a request as the board's rules need to know it. A request with a lease shares no alert, because a shared alert
  /// would depend on the operation that holds the lease.
  private func question(_ asking: Asking) -> Board.Question {
    let request = asking.request
    let patience = request.givesUpAt.map { $0 - now }
    let isAlone = asking.lease != nil
    return Board.Question(
      request.id, summary: .request(RequestAlertMaker(request, asking.capability.definition).summaryAlert()),
      key: isAlone ? nil : Board.Key(source: ObjectIdentifier(self), alert: AlertKey(request)),
      program: isAlone ? nil : ProgramKey(request.subject.inAnyFolder), charge: asking.charge,
      hasLease: isAlone,
      deadline: patience.flatMap { $0 <= Board.soon ? keeper.now + $0 : nil })
  }

  /// Stores how a request ended, as far as it is not in the store yet, and returns it.
  private func end(of request: Request, _ outcome: Board.Outcome) throws -> RequestEnd {
    switch outcome {
    case .ended(let end): return end
    case .endedEarly(let end):
      try closeEarly(request, end)
      return end
    case .timedOut:
      try store.close(request.id, .timedOut, by: origin)
      return .timedOut
    case .left:
      if !isHandedOver.withLock(\.self) { try store.close(request.id, .withdrawn(), by: origin) }
      throw CancellationError()
    case .askedAgain: throw AskedAgain()
    case .refused(let refusal):
      try store.close(request.id, .withdrawn(), by: origin)
      throw refusal
    case .failed(let error): throw error
    }
  }

  /// Ends the wait for a request whose values mean something else than its alert says. The request stays in the store, so
  /// that it can be asked again with what its values mean now.
  package func askAgain(_ id: Request.ID) { keeper.leave(id, .askedAgain) }

  /// Leaves the waiting requests to another answerer: from now on, the requests stay in the store even if their
  /// tasks are cancelled.
  package func handOver() {
    isHandedOver.withLock { $0 = true }
    answers.write()
  }

  /// Puts a waiter's request into the store. If the request has already ended, returns how it ended.
  private func open(_ waiter: RequestWaiter) throws -> RequestEnd? {
    let id = waiter.request.id
    // Another request might share the alert, so the alert is made even if this request fails or has ended.
    defer { waiter.noteOpened() }
    do {
      guard case .ended(let end) = try store.open(waiter.request) else {
        keeper.stored(id)
        return nil
      }
      keeper.leave(id, .ended(end))
      return end
    } catch {
      keeper.leave(id, .failed(error))
      throw error
    }
  }

  /// Closes a request that reached the store only after its prompt had ended, for example because it joined a request that
  /// was just being answered.
  private func closeEarly(_ request: Request, _ end: RequestEnd) throws(StoreError) {
    var end = end
    if var answer = end.answer {
      answer.reason = answer.reason ?? "joined a request that was answered"
      end = .answered(answer)
    }
    try store.close(request.id, end, by: origin)
  }

  private func giveUp(_ id: Request.ID, at moment: Timestamp) -> Task<Void, Never> {
    let patience = moment - now
    return Task.quiet { [keeper, clock] in
      if (try? await clock.sleep(for: patience)) != nil { keeper.leave(id, .timedOut) }
    }
  }

  /// Starts to watch the store for changes, unless the store is already being watched.
  private func watchStore() throws(StoreError) {
    guard watcher.withLock({ $0 == nil }) else { return }
    // Subscribing before looking at decisions ensures that no change is missed.
    let changes = try store.changes()
    watcher.withLock { watcher in
      guard watcher == nil else { return }
      watcher = Task.quiet { [weak self] in
        do {
          for try await change in changes { self?.take(change) }
        } catch {}
        // If watching fails, the next request starts to watch again.
        if !Task.isCancelled { self?.watcher.withLock { $0 = nil } }
      }
    }
  }
}

/// The error with which a wait ends if the request is to be asked again.
package struct AskedAgain: Error {}

extension LocalAnswerer {
  private struct Place: Hashable {
    let store: ObjectIdentifier
    let slot: ObjectIdentifier
    let environment: ProbeEnvironment
  }

  private struct Entry: Sendable {
    weak var answerer: LocalAnswerer?
  }

  private static let answerers = Lock<[Place: Entry]>([:])

  /// Returns the answerer for a store, a slot and an environment: the existing answerer if it is still in use,
  /// otherwise a new one.
  static func shared(
    store: any PermissionStore, slot: ModalSlot, environment: ProbeEnvironment
  ) -> LocalAnswerer {
    let place = Place(
      store: ObjectIdentifier(store as AnyObject), slot: ObjectIdentifier(slot), environment: environment)
    return answerers.withLock { answerers in
      if let answerer = answerers[place]?.answerer { return answerer }
      answerers = answerers.filter { $0.value.answerer != nil }
      let answerer = LocalAnswerer(store: store, slot: slot, environment: environment)
      answerers[place] = Entry(answerer: answerer)
      return answerer
    }
  }
}
