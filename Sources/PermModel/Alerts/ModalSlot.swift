import Machine
public import Operations

/// The place where requests, confirmations and notices are shown, one at a time.
///
/// Each alert waits for the exclusion category ``category``, and holds the category while the alert is shown.
/// Everything in the process that needs this category waits in the same line, in order of arrival. Programs take turns:
/// each program has at most one request in that line, and its next request joins the line behind the requests of other
/// programs.
public final class ModalSlot: Sendable {
  /// The category that is held while an alert is shown.
  public static let category = ExclusionCategory("modal")

  private struct State: Sendable {
    var snapshot = ModalSnapshot()
    var turns = Turns<Asker, Visit>()
  }

  private let presenter: any AlertPresenter
  private let queue: OperationQueue
  private let state = Lock(State())
  private let signal = ChangeSignal()
  private let refusal: QuestionRefusal?

  /// - Parameters:
  ///   - presenter: The presenter that shows the alerts.
  ///   - exclusion: The scheduler that grants the category; by default, the scheduler that the whole process
  ///     shares.
  public convenience init(presenter: any AlertPresenter, exclusion: ExclusionScheduler = .shared) {
    self.init(presenter: presenter, exclusion: exclusion, refusing: nil)
  }

  /// - Parameter refusal: The condition under which questions are refused instead of shown.
  package init(
    presenter: any AlertPresenter, exclusion: ExclusionScheduler = .shared, refusing refusal: QuestionRefusal?
  ) {
    self.presenter = presenter
    self.refusal = refusal
    queue = OperationQueue(quiet: "alerts", exclusion: exclusion)
  }

  package var snapshot: ModalSnapshot { state.withLock { $0.snapshot } }

  /// The current snapshot, followed by a new snapshot after every change. Slow consumers receive only the latest one.
  package var snapshots: some AsyncSequence<ModalSnapshot, Never> & Sendable {
    signal.changes().map { [self] _ in snapshot }
  }

  package enum Step: Hashable, Sendable {
    case shown
    /// Set aside, or shown again, by this place; `nil` if the place is not known.
    case setAside(by: Origin?), reopened(by: Origin?)
  }

  /// Shows an alert as soon as the slot is free, and waits for the alert's outcome. An alert that is set aside frees
  /// the slot. When the person reopens the alert, the alert waits for the slot again.
  ///
  /// - Parameters:
  ///   - lease: Proof that the alert is being shown on behalf of an operation. That operation might itself hold the
  ///     category.
  ///   - refresh: Called just before the alert is shown. Returns the current version of the alert; `nil` if
  ///     the alert no longer needs to be shown.
  ///   - note: Called for each step of the alert, in order.
  ///   - take: Receives the response, which is ``AlertResponse/dismissed`` if the alert no longer needed to be shown.
  ///     The next alert is shown only once this closure has returned.
  /// - Returns: What `take` returned.
  /// - Throws: `CancellationError` if the task is cancelled, which also removes the alert; an ``AlertPresenterError``
  ///   if the alert cannot be shown; the exclusion scheduler's error if the lease cannot be used.
  package func present<Outcome>(
    _ alert: Alert, lease: ExclusionLease? = nil,
    refresh: (@Sendable () async -> Alert?)? = nil, note: @escaping @Sendable (Step) -> Void = { _ in },
    take: @Sendable (AlertResponse) -> Outcome = { $0 }
  ) async throws -> Outcome {
    let visit = Visit(alert, lease)
    defer { leave(visit) }
    let response = try await answering(alert) { [self] in
      try await enter(visit)
      let turn = AlertTurn(id: alert.id) { [self] origin in
        await show(visit, by: origin, refresh ?? { alert }, note)
      } setAsideBy: { [self] origin in
        await setAside(visit, by: origin, note)
      }
      return try await presenter.show(turn)
    }
    await visit.noting?.value
    try Task.checkCancellation()
    return take(response)
  }

  /// Returns the response to an alert. A question is refused as soon as ``refusal`` demands it, even if the question is
  /// already on the screen.
  private func answering(
    _ alert: Alert, _ show: @escaping @Sendable () async throws -> AlertResponse
  ) async throws -> AlertResponse {
    guard case .confirmation = alert.content, let refusal else { return try await show() }
    if refusal.isDemanded() { return .refused }
    return try await withThrowingTaskGroup(of: AlertResponse?.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await show() }
      group.addTask { await refusal.untilDemanded() ? .refused : nil }
      while let response = try await group.next() { if let response { return response } }
      return .dismissed
    }
  }

  /// Waits until the response to an alert that has been answered is taken.
  package func waitUntilTaken(_ id: Alert.ID) async {
    for await snapshot in snapshots where snapshot.showing?.id != id { return }
  }
}

// MARK: - A visit to the slot

extension ModalSlot {
  /// Waits in line until it is the alert's turn to be shown.
  private func enter(_ visit: Visit) async throws {
    change { state in
      state.snapshot.wait(visit.alert)
      // An alert with a lease does not wait for its program's turn. The request that has the turn might itself be
      // waiting for the operation that holds the lease, and that operation waits for this alert.
      if visit.program.map({ state.turns.begin(visit, of: $0) }) ?? true { lineUp(visit) }
    }
    try await visit.waitForTurn()
  }

  /// Adds an operation that waits in line for the category on behalf of an alert, and then holds the category
  /// until the operation is cancelled.
  private func lineUp(_ visit: Visit) {
    visit.stand(
      for: queue.add(
        visit.alert.summary, conditions: [MutuallyExclusive(Self.category)],
        options: .init(lease: visit.lease)
      ) { _ in for await _ in AsyncStream<Never>.makeStream().stream {} })
  }

  /// Releases the category, and lets the same program's next request join the line.
  private func leave(_ visit: Visit) {
    change { state in
      state.snapshot.remove(visit.alert.id)
      visit.program.flatMap { state.turns.end(visit, of: $0) }.map(lineUp)
    }
    visit.leave()
  }

  private func show(
    _ visit: Visit, by origin: Origin?, _ refresh: @Sendable () async -> Alert?,
    _ note: @escaping @Sendable (Step) -> Void
  ) async -> Alert? {
    if let alert = visit.shown { return alert }
    if !visit.isInLine {
      note(.reopened(by: origin))
      guard (try? await enter(visit)) != nil else { return nil }
    }
    guard let alert = await refresh(), !Task.isCancelled else { return nil }
    change { $0.snapshot.show(alert) }
    // The note might be written to a slow disk, so the alert does not wait for it.
    visit.show(alert, noting: Task.quiet { note(.shown) })
    return alert
  }

  private func setAside(_ visit: Visit, by origin: Origin?, _ note: @Sendable (Step) -> Void) async {
    leave(visit)
    await visit.noting?.value
    note(.setAside(by: origin))
    change { $0.snapshot.setAside(visit.alert) }
  }

  private func change(_ body: (inout State) -> Void) {
    let hasChanged = state.withLock { state in
      let before = state.snapshot
      body(&state)
      return state.snapshot != before
    }
    if hasChanged { signal.send() }
  }
}

/// The state of one alert from its arrival at the slot until it ends.
private final class Visit: Sendable {
  private struct State {
    /// The operation that waits for the category, and then holds it; `nil` while the alert is set aside or
    /// waits for its program's turn.
    var operation: OperationHandle<Void>?
    var shown: Alert?
    var noting: Task<Void, Never>?
  }

  let alert: Alert
  let lease: ExclusionLease?
  private let operations = AsyncStream.makeStream(of: OperationHandle<Void>.self)
  private let state = Lock(State())

  init(_ alert: Alert, _ lease: ExclusionLease?) {
    self.alert = alert
    self.lease = lease
  }

  /// The program whose other requests must wait for this request; `nil` if other requests need not wait.
  var program: Asker? { lease == nil ? alert.program : nil }
  var isInLine: Bool { state.withLock { $0.operation != nil } }
  var shown: Alert? { state.withLock { $0.shown } }
  var noting: Task<Void, Never>? { state.withLock { $0.noting } }

  func stand(for operation: OperationHandle<Void>) {
    state.withLock { $0.operation = operation }
    operations.continuation.yield(operation)
  }

  func waitForTurn() async throws {
    for await operation in operations.stream {
      for await event in operation.events {
        if case .executing = event { return }
      }
      if !Task.isCancelled { try await operation.value }
    }
    throw CancellationError()
  }

  func show(_ alert: Alert, noting: Task<Void, Never>) {
    state.withLock { ($0.shown, $0.noting) = (alert, noting) }
  }

  func leave() {
    let operation = state.withLock { state in
      defer { (state.operation, state.shown) = (nil, nil) }
      return state.operation
    }
    operation?.cancel()
  }
}

extension Visit: Equatable {
  static func == (one: Visit, other: Visit) -> Bool { one === other }
}
