import Machine
import Operations

/// Answers requests with a store and the modal slot of this process.
///
/// Requests whose alerts would be the same wait for one prompt, until it is on the screen. A decision made meanwhile,
/// by anyone, ends the requests that it covers. The decision, its journal entry and the end of the requests are one
/// change of the store.
package final class LocalDesk: PermissionDesk {
  let store: any PermissionStore
  let slot: ModalSlot
  let environment: ProbeEnvironment
  /// The origin of answers that do not name one.
  let origin: Origin
  let clock: any Clock<Duration>
  let book = Lock(RequestBook())
  private let watcher = Lock<Task<Void, Never>?>(nil)
  private let isHandedOver = Lock(false)

  /// - Parameter clock: The clock that measures the patience of requests.
  package init(
    store: any PermissionStore, slot: ModalSlot, environment: ProbeEnvironment = .current,
    origin: Origin = .library, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.store = store
    self.slot = slot
    self.environment = environment
    self.origin = origin
    self.clock = clock
  }

  deinit { watcher.withLock { $0 }?.cancel() }

  package var now: Timestamp { store.environment.now().wall }

  package func makeID() -> String { store.environment.makeID() }

  package func standing(of subject: Subject, capability: String) throws(StoreError) -> Standing {
    try store.standing(of: subject, capability: capability)
  }

  package func record(_ answer: AutomaticAnswer) throws(StoreError) { try record([answer]) }

  package func record(_ answers: [AutomaticAnswer]) throws(StoreError) {
    // A program gets its answer even if the store is read-only.
    guard store.readOnlyReason == nil else { return }
    try store.record(answers)
  }

  package func end(of request: Request) throws(StoreError) -> RequestEnd? {
    if case .ended(let end) = try store.state(of: request) { end } else { nil }
  }

  package func answer(to asking: Asking) async throws -> RequestEnd {
    try watchStore()
    let waiter = RequestWaiter(asking)
    // Entered before others can see the request in the store, so that their answers always find the waiter.
    let new = try book.withLock { try $0.join(waiter) }
    if let end = try open(waiter, beginning: new) { return end }
    await asking.whenWaiting?()
    let deadline = asking.request.givesUpAt.map { giveUp(waiter, at: $0) }
    defer { deadline?.cancel() }
    do {
      let end = try await withTaskCancellationHandler {
        try await waiter.end()
      } onCancel: {
        leave(waiter)
      }
      if waiter.joinedLate { try closeLate(asking.request, end) }
      return end
    } catch is CancellationError {
      if !isHandedOver.withLock(\.self) { try store.close(asking.request.id, .withdrawn, by: origin) }
      throw CancellationError()
    }
  }

  /// Leaves the waiting requests to another desk: from now on they stay in the store when their tasks are cancelled.
  package func handOver() { isHandedOver.withLock { $0 = true } }

  /// Puts a waiter's request into the store, and shows the prompt that begins with it. If the request had already
  /// ended, returns that end.
  private func open(_ waiter: RequestWaiter, beginning prompt: RequestBook.PromptID?) throws -> RequestEnd? {
    // Even if this request fails or has already ended, another may have joined its prompt.
    defer { if let prompt { startPrompt(prompt) } }
    do {
      guard case .ended(let end) = try store.open(waiter.request) else { return nil }
      leave(waiter)
      return end
    } catch {
      leave(waiter)
      throw error
    }
  }

  /// Closes a request that reached the store just after the requests that it joined had been closed there.
  private func closeLate(_ request: Request, _ end: RequestEnd) throws(StoreError) {
    var end = end
    if var answer = end.answer {
      answer.reason = "joined a request that was answered"
      end = .answered(answer)
    }
    try store.close(request.id, end, by: origin)
  }

  /// Makes a waiter leave. The prompt ends when the last one has left.
  private func leave(_ waiter: RequestWaiter) {
    book.withLock { $0.take(waiter) }.finish(.failure(CancellationError()))
  }

  private func giveUp(_ waiter: RequestWaiter, at moment: Timestamp) -> Task<Void, Never> {
    let patience = moment - now
    return Task { [clock] in
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

  /// Watches for changes that others make to the store, from the first request on.
  private func watchStore() throws(StoreError) {
    guard watcher.withLock({ $0 == nil }) else { return }
    // Subscribing before looking at decisions ensures that no change is missed.
    let changes = try store.changes()
    watcher.withLock { watcher in
      guard watcher == nil else { return }
      watcher = Task { [weak self] in
        do {
          for try await change in changes { self?.take(change) }
        } catch {}
        // If watching fails, the next request tries again.
        if !Task.isCancelled { self?.watcher.withLock { $0 = nil } }
      }
    }
  }
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

  /// Returns the desk of a store and a slot: the existing one if it is still in use, or a new one.
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
