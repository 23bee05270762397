import Machine
import Operations

/// The owner of a board: it carries out the board's effects, and is the only lock between a program that asks and a
/// person who answers.
package final class BoardKeeper: Sendable {
  struct State: Sendable {
    var board: Board
    var waiters: [Request.ID: RequestWaiter] = [:]
    /// The last task that notes a step of a request. A waiter is told of its request's end only afterwards, so that the
    /// journal is complete by then.
    var noting: [Request.ID: Task<Void, Never>] = [:]
    var items: [Board.Item.ID: Record] = [:]
    var claims: [Board.Claim.ID: OperationHandle<Void>] = [:]
    var presenters: [Board.Screen.ID: any AlertPresenter] = [:]
    var shows: [Board.Visit: Show] = [:]
    /// The waits of those whose responses are to be settled.
    var responses: [Board.Item.ID: OneShot<Result<Void, any Error>>] = [:]
    /// The moment for which the board is to be woken, and the task that waits for it.
    var alarm: (moment: Board.Moment, task: Task<Void, Never>)?
    /// The effects that are still to be carried out, by whoever is carrying out effects now.
    var effects: [Board.Effect] = []
    var isDelivering = false
  }

  /// An item beside the board.
  struct Record: Sendable {
    let source: any AlertSource
    let lease: ExclusionLease?
    /// The last task that writes for this item. Each one waits for the one before.
    var writing: Task<Void, Never>?
  }

  let state: Lock<State>
  private let queue: OperationQueue
  private let clock: @Sendable () -> Board.Moment
  private let sleep: @Sendable (Duration) async throws -> Void
  private let signal = ChangeSignal()
  let screenSignal = ChangeSignal()

  /// - Parameters:
  ///   - exclusion: The scheduler that grants the modal slot's category.
  ///   - clock: Returns the time, on a clock that also runs while the machine sleeps.
  ///   - sleep: Sleeps for a duration.
  package init(
    _ board: Board, exclusion: ExclusionScheduler,
    clock: @escaping @Sendable () -> Board.Moment = { .nanoseconds(SystemClock.boot.nanoseconds) },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await QuietClock.sleep(for: $0) }
  ) {
    state = Lock(State(board: board))
    queue = OperationQueue(quiet: "alerts", exclusion: exclusion)
    self.clock = clock
    self.sleep = sleep
  }

  deinit { state.withLock { $0.alarm }?.task.cancel() }

  package var board: Board { state.withLock { $0.board } }
  package var picture: BoardPicture { state.withLock { $0.board.picture } }

  /// The current picture, followed by a new one after every change. Slow consumers receive only the latest one.
  package var pictures: some AsyncSequence<BoardPicture, Never> & Sendable {
    changes.map { [self] _ in picture }
  }

  /// The alert that is up and those in line, followed by the new ones after every change.
  package var alertsInLine: some AsyncSequence<[Alert], Never> & Sendable {
    changes.map { [self] _ in state.withLock { $0.board.pictureOfLine }.inLine }
  }

  /// A stream of signals that the board might have changed. Its first element arrives immediately.
  package var changes: AsyncStream<Void> { signal.changes() }

  // MARK: Events

  var now: Board.Moment { clock() }

  /// Hands an event to the board, and carries out its effects. Effects are carried out one after another, in the order of
  /// their events, and never while the lock is held.
  @discardableResult
  func change<Result: Sendable, Failure>(
    _ event: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (result, isFree) = try state.withLock { state throws(Failure) in
      let result = try event(&state)
      state.effects += state.board.takeEffects()
      defer { state.isDelivering = true }
      return (result, !state.isDelivering)
    }
    if isFree { deliver() }
    signal.send()
    return result
  }

  private func deliver() {
    while true {
      let effects = state.withLock { state in
        defer { state.effects = [] }
        state.isDelivering = !state.effects.isEmpty
        return state.effects
      }
      guard !effects.isEmpty else { return }
      effects.forEach(carryOut)
    }
  }
}

// MARK: - Effects

extension BoardKeeper {
  private func carryOut(_ effect: Board.Effect) {
    switch effect {
    case .claim(let id, let lender): claim(id, for: lender)
    case .release(let id): state.withLock { $0.claims.removeValue(forKey: id) }?.cancel()
    case .make(let id, let version, let requests): make(id, version, requests)
    case .judge(let id, let requests): judge(id, requests)
    case .settle(let id, let closing, let requests): settle(id, closing, requests)
    case .note(let id, let step, let requests): note(id, step, requests)
    case .show(let visit): show(visit)
    case .hand(let alert, let visit): hand(alert, visit)
    case .hide(let visit): hide(visit)
    case .end(let id, let outcome): end(id, outcome)
    case .over(let id): over(id)
    case .wake(let moment): wake(at: moment)
    }
  }

  /// Adds an operation that waits in line for the category, and then holds it until it is cancelled.
  private func claim(_ id: Board.Claim.ID, for lender: Board.Item.ID?) {
    let (name, lease) = state.withLock { state in
      (state.board.nameOfClaim(for: lender), lender.flatMap { state.items[$0]?.lease })
    }
    let handle = queue.add(
      name, conditions: [MutuallyExclusive(ModalSlot.category)], options: .init(lease: lease)
    ) { [weak self] _ in
      self?.change { $0.board.granted(id) }
      for await _ in AsyncStream<Never>.makeStream().stream {}
    }
    state.withLock { $0.claims[id] = handle }
    Task.quiet { [weak self] in
      guard let error = await handle.outcome.error else { return }
      self?.change { $0.board.refused(id, error) }
    }
  }

  private func wake(at moment: Board.Moment) {
    let pause = moment - now
    state.withLock { state in
      guard state.alarm.map({ moment < $0.moment }) ?? true else { return }
      state.alarm?.task.cancel()
      let task = Task.quiet { [weak self, sleep] in
        guard (try? await sleep(pause)) != nil else { return }
        self?.state.withLock { if $0.alarm?.moment == moment { $0.alarm = nil } }
        self?.wake()
      }
      state.alarm = (moment, task)
    }
  }

  private func wake() {
    let now = now
    change { $0.board.wake(at: now) }
  }

  // MARK: The work of an item's source

  private func source(of id: Board.Item.ID) -> (source: any AlertSource, item: Board.Item)? {
    state.withLock { state in
      guard let record = state.items[id], let item = state.board.items[id] else { return nil }
      return (record.source, item)
    }
  }

  private func make(_ id: Board.Item.ID, _ version: Int, _ requests: [Request.ID]) {
    guard let (source, item) = source(of: id) else { return }
    Task.quiet { [self] in
      switch await source.make(item.alert, for: ItemRequests(item: id, ids: requests)) {
      case .made(let alert): change { $0.board.made(id, version: version, alert) }
      case .ended(let outcomes): change { $0.board.settled(id, outcomes) }
      }
    }
  }

  private func judge(_ id: Board.Item.ID, _ requests: [Request.ID]) {
    guard let (source, _) = source(of: id) else { return }
    Task.quiet { [self] in
      let outcomes = await source.judge(ItemRequests(item: id, ids: requests))
      if !outcomes.isEmpty { change { $0.board.settled(id, outcomes) } }
    }
  }

  private func settle(_ id: Board.Item.ID, _ closing: Board.Closing, _ requests: [Request.ID]) {
    guard let (_, item) = source(of: id) else { return }
    // From here on, the response ends with this settling, whatever else ends the item meanwhile.
    let response = state.withLock { $0.responses.removeValue(forKey: id) }
    write(id) { [self] source in
      switch await source.settle(item.listed, closing, ItemRequests(item: id, ids: requests)) {
      case .ended(let outcomes, let isAnswered):
        change { $0.board.settled(id, outcomes, isAnswered: isAnswered) }
        response?.set(.success(()))
      case .changed:
        change { $0.board.changed(id) }
        response?.set(.failure(AnswerRefused.changed))
      case .refused(let error):
        guard let response else { return settle(id, .failure(error), requests) }
        change { $0.board.changed(id) }
        response.set(.failure(error))
      }
    }
  }

  private func note(_ id: Board.Item.ID, _ step: Board.Step, _ requests: [Request.ID]) {
    guard let writing = write(id, { await $0.note(step, of: requests) }) else { return }
    state.withLock { state in
      for request in requests where state.waiters[request] != nil { state.noting[request] = writing }
    }
  }

  private func end(_ id: Request.ID, _ outcome: Board.Outcome) {
    let (waiter, noting) = state.withLock { state in
      (state.waiters.removeValue(forKey: id), state.noting.removeValue(forKey: id))
    }
    guard let noting else { return waiter?.outcome.set(outcome) ?? () }
    Task.quiet {
      await noting.value
      waiter?.outcome.set(outcome)
    }
  }

  private func over(_ id: Board.Item.ID) {
    let response = state.withLock { state in
      state.items[id] = nil
      return state.responses.removeValue(forKey: id)
    }
    response?.set(.failure(AnswerRefused.changed))
  }

  /// Runs what an item's source writes, after everything that it was to write before. Returns the task that writes.
  @discardableResult
  private func write(
    _ id: Board.Item.ID, _ body: @escaping @Sendable (any AlertSource) async -> Void
  ) -> Task<Void, Never>? {
    state.withLock { state in
      guard let record = state.items[id] else { return nil }
      let task = Task.quiet {
        await record.writing?.value
        await body(record.source)
      }
      state.items[id]?.writing = task
      return task
    }
  }
}
