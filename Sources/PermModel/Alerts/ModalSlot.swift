import Machine
public import Operations

/// The one place where anything modal is shown: requests, confirmations and notices, one at a time.
///
/// An alert waits for the exclusion category ``category``, first come first served with everything else in the
/// process that takes that category, and holds it while it is shown. Programs take turns: of each program one request
/// is in that line, and its next one joins behind those of the others.
public final class ModalSlot: Sendable {
  /// What is held while an alert is shown.
  public static let category = ExclusionCategory("modal")

  private let presenter: any AlertPresenter
  private let queue: OperationQueue
  private let turns = TurnLine()
  /// Held while an alert takes its place, so that all see alerts wait in the order in which they are shown.
  private let order = Lock(())
  private let state = Lock(ModalSnapshot())
  private let signal = ChangeSignal()

  /// - Parameters:
  ///   - presenter: What shows the alerts.
  ///   - exclusion: The scheduler that the category is taken from; the process's own unless given.
  public init(presenter: any AlertPresenter, exclusion: ExclusionScheduler = .shared) {
    self.presenter = presenter
    queue = OperationQueue(name: "alerts", exclusion: exclusion)
  }

  /// What is shown, what waits and what was set aside, now.
  public var snapshot: ModalSnapshot { state.withLock { $0 } }

  /// The snapshot now and after every change; who is slow gets the newest.
  public var snapshots: some AsyncSequence<ModalSnapshot, Never> & Sendable {
    signal.changes().map { [self] _ in snapshot }
  }

  /// What happens to an alert on its way to an answer.
  public enum Step: Sendable {
    case shown, setAside, reopened
  }

  /// Shows an alert as soon as the slot is free, and waits for what becomes of it. An alert that is set aside
  /// frees the slot, and asks for it again when the person wants to see it.
  ///
  /// - Parameters:
  ///   - lease: Proof that this is asked on behalf of an operation that may hold the category itself.
  ///   - refresh: Makes the alert anew just before it is shown; `nil` if it is no longer wanted.
  ///   - note: Told each step, in order.
  /// - Returns: Never ``AlertResponse/setAside``. ``AlertResponse/dismissed`` if it was no longer wanted.
  /// - Throws: `CancellationError` when the task is cancelled: the alert is then taken away. Else
  ///   ``AlertPresenterError``, or what the exclusion scheduler says of a lease that cannot be used.
  public func present(
    _ alert: Alert, lease: ExclusionLease? = nil,
    refresh: (@Sendable () async -> Alert?)? = nil, note: @escaping @Sendable (Step) -> Void = { _ in }
  ) async throws -> AlertResponse {
    defer { change { $0.remove(alert.id) } }
    while true {
      let presentation = Presentation(name: alert.summary) { [self] in
        try await showOnce(alert, refresh: refresh, note: note)
      }
      let response = try await presentInTurn(presentation, alert, lease: lease)
      guard response == .setAside else { return response }
      note(.setAside)
      change { $0.setAside(alert) }
      try await presenter.waitUntilReopened(alert.id)
      note(.reopened)
    }
  }

  private func presentInTurn(
    _ presentation: Presentation, _ alert: Alert, lease: ExclusionLease?
  ) async throws -> AlertResponse {
    // Whoever asks on behalf of what is shown already must not wait for it to end.
    guard let program = alert.program, lease == nil else {
      return try await response(to: lineUp(presentation, alert, lease: lease))
    }
    let first = lineUp(presentation, alert, of: program)
    if first == nil { try await turns.waitForTurn(alert.id, of: program) }
    defer { turns.end(alert.id, of: program) }
    return try await response(to: first ?? lineUp(presentation, alert))
  }

  /// Lets an alert stand in line if it is the turn of its program, else only where all can see that it waits.
  private func lineUp(
    _ presentation: Presentation, _ alert: Alert, of program: Asker
  ) -> OperationHandle<AlertResponse>? {
    order.withLock { _ in
      change { $0.wait(alert) }
      return turns.begin(alert.id, of: program) ? queue.add(presentation) : nil
    }
  }

  private func lineUp(
    _ presentation: Presentation, _ alert: Alert, lease: ExclusionLease? = nil
  ) -> OperationHandle<AlertResponse> {
    order.withLock { _ in
      change { $0.wait(alert) }
      return queue.add(presentation, options: .init(lease: lease))
    }
  }

  private func response(to handle: OperationHandle<AlertResponse>) async throws -> AlertResponse {
    try await withTaskCancellationHandler {
      try await handle.value
    } onCancel: {
      handle.cancel()
    }
  }

  /// Shows an alert while its operation holds the category.
  private func showOnce(
    _ alert: Alert, refresh: (@Sendable () async -> Alert?)?, note: @Sendable (Step) -> Void
  ) async throws -> AlertResponse {
    try await presenter.waitUntilAttended()
    guard let fresh = refresh == nil ? alert : await refresh?() else { return .dismissed }
    try Task.checkCancellation()
    change { $0.show(fresh) }
    // The slot shows nothing from here on, whatever the caller does before it hears of the answer.
    defer { change { $0.remove(alert.id) } }
    // Noting it takes as long as a disk does, and nobody need wait for that to see the alert.
    async let presented = presenter.present(fresh)
    note(.shown)
    let response = try await presented
    try Task.checkCancellation()
    return response
  }

  private func change(_ body: (inout ModalSnapshot) -> Void) {
    let hasChanged = state.withLock { snapshot in
      let before = snapshot
      body(&snapshot)
      return snapshot != before
    }
    if hasChanged { signal.send() }
  }
}

/// Shows one alert while it holds the category.
private struct Presentation: Operation {
  let name: String
  let body: @Sendable () async throws -> AlertResponse

  var conditions: [any OperationCondition] { [MutuallyExclusive(ModalSlot.category)] }

  func execute(_ context: OperationContext) async throws -> AlertResponse { try await body() }
}
