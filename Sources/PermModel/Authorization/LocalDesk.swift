import Machine
import Operations

/// A desk that uses a store and a modal slot of this process to answer requests.
///
/// Requests whose alerts would be the same share one prompt. Further requests can join the prompt until its alert is on
/// the screen. A decision that anyone makes in the meantime ends the requests that the decision covers. A decision, its
/// journal entry and the end of the requests are written to the store as a single change.
package final class LocalDesk: PermissionDesk {
  let store: any PermissionStore
  let slot: ModalSlot
  let policies = Lock(MachinePolicy.none)
  private let places: Lock<ProbeEnvironment>
  /// The origin that is recorded for answers without an origin of their own.
  let origin: Origin
  let clock: any Clock<Duration>
  /// The book in which automatic answers are noted until they are in the store.
  package let answers: AutomaticAnswerBook
  let book = Lock(RequestBook())
  private let watcher = Lock<Task<Void, Never>?>(nil)
  private let isHandedOver = Lock(false)

  /// - Parameters:
  ///   - clock: The clock that measures how long requests wait.
  ///   - answers: The book that notes automatic answers; `nil` for a book of this desk's own.
  package init(
    store: any PermissionStore, slot: ModalSlot, environment: ProbeEnvironment = .current,
    origin: Origin = .library, clock: any Clock<Duration> = QuietClock(),
    answers: AutomaticAnswerBook? = nil
  ) {
    self.store = store
    self.answers = answers ?? AutomaticAnswerBook(store)
    self.slot = slot
    places = Lock(environment)
    self.origin = origin
    self.clock = clock
  }

  deinit { watcher.withLock { $0 }?.cancel() }

  /// The environment that probes and explanations examine.
  var environment: ProbeEnvironment { places.withLock(\.self) }

  /// Sets the environment that is examined from now on, and the policy that counts from now on. The policy also holds
  /// for requests that wait already.
  package func use(_ environment: ProbeEnvironment, _ policy: MachinePolicy) {
    places.withLock { $0 = environment }
    policies.withLock { $0 = policy }
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
    // The waiter is added before other processes can see the request in the store, so that their answers
    // always find the waiter.
    let new = try book.withLock { try $0.join(waiter) }
    // The alert is made while the request is being written to the store, and shown only after that.
    if let new { startPrompt(new) }
    if let end = try open(waiter) { return end }
    // The request might have been decided just before the desk began to watch for changes.
    if let prompt = new.flatMap({ id in book.withLock { $0[id] } }) { endIfDecided(prompt) }
    await asking.whenWaiting?()
    let deadline = asking.request.givesUpAt.map { giveUp(waiter, at: $0) }
    defer { deadline?.cancel() }
    do {
      let end = try await withTaskCancellationHandler {
        try await waiter.end()
      } onCancel: {
        leave(waiter)
      }
      if waiter.endedEarly { try closeEarly(asking.request, end) }
      return end
    } catch is CancellationError {
      if !isHandedOver.withLock(\.self) { try store.close(asking.request.id, .withdrawn(), by: origin) }
      throw CancellationError()
    }
  }

  /// Ends the wait for a request whose values mean something else than its alert says. The request stays in the store, so
  /// that it can be asked again with what its values mean now.
  package func askAgain(_ id: Request.ID) {
    let taken = book.withLock { $0.take(id) }
    taken.finish(.failure(AskedAgain(prompt: taken.orphan)))
  }

  /// Leaves the waiting requests to another desk: from now on, the requests stay in the store even if their
  /// tasks are cancelled.
  package func handOver() {
    isHandedOver.withLock { $0 = true }
    answers.write()
  }

  /// Puts a waiter's request into the store. If the request has already ended, returns how it ended.
  private func open(_ waiter: RequestWaiter) throws -> RequestEnd? {
    // Another request might have joined the prompt, so the prompt goes on even if this request fails or has ended.
    defer { waiter.noteOpened() }
    do {
      guard case .ended(let end) = try store.open(waiter.request) else { return nil }
      leave(waiter)
      return end
    } catch {
      leave(waiter)
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

  /// Removes a waiter from the book, and ends it with a `CancellationError`. The prompt ends when its last
  /// waiter has been removed.
  private func leave(_ waiter: RequestWaiter) {
    book.withLock { $0.take(waiter) }.finish(.failure(CancellationError()))
  }

  private func giveUp(_ waiter: RequestWaiter, at moment: Timestamp) -> Task<Void, Never> {
    let patience = moment - now
    return Task.quiet { [self] in
      do { try await clock.sleep(for: patience) } catch { return }
      let taken = book.withLock { $0.take(waiter) }
      guard !taken.waiters.isEmpty else { return }
      taken.orphan?.cancel()
      let end = RequestWaiter.End { () throws(StoreError) in
        try store.close(waiter.request.id, .timedOut, by: origin)
        return .timedOut
      }
      waiter.finish(end)
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
package struct AskedAgain: Error {
  /// The prompt that showed the request, if no other request waits for it. It is about to end.
  package let prompt: Task<Void, Never>?
}

extension LocalDesk {
  private struct Place: Hashable {
    let store: ObjectIdentifier
    let slot: ObjectIdentifier
    let environment: ProbeEnvironment
  }

  private struct Entry: Sendable {
    weak var desk: LocalDesk?
  }

  private static let desks = Lock<[Place: Entry]>([:])

  /// Returns the desk for a store, a slot and an environment: the existing desk if it is still in use,
  /// otherwise a new one.
  static func shared(
    store: any PermissionStore, slot: ModalSlot, environment: ProbeEnvironment
  ) -> LocalDesk {
    let place = Place(
      store: ObjectIdentifier(store as AnyObject), slot: ObjectIdentifier(slot), environment: environment)
    return desks.withLock { desks in
      if let desk = desks[place]?.desk { return desk }
      desks = desks.filter { $0.value.desk != nil }
      let desk = LocalDesk(store: store, slot: slot, environment: environment)
      desks[place] = Entry(desk: desk)
      return desk
    }
  }
}
