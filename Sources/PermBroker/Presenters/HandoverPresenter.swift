import Machine
import PermModel

/// Keeps what a person reads on the screen while one broker goes away and the next one takes over.
///
/// In between nobody stands behind the alert, so an answer counts for nothing. If the next broker presents the very same
/// alert, by its digest, it goes on being shown as it is; anything else that was left is withdrawn.
final class HandoverPresenter: AlertPresenter {
  private typealias Showing = Task<AlertResponse, any Error>

  private struct Shown: Sendable {
    var alert: Alert
    var showing: Showing
    /// Tells it from what was presented under the same id before or after.
    var number = 0
  }

  private struct State {
    var shown: [Alert.ID: Shown] = [:]
    var lastNumber = 0
    /// What a broker showed that has gone away, and no other has shown again yet. What is cancelled of it stays on the
    /// screen.
    var departing: Set<Alert.ID> = []
    /// Alerts on the screen that nobody stands behind.
    var left: [Alert.ID: Shown] = [:]
  }

  private let base: any AlertPresenter
  private let state = Lock(State())
  /// Told whenever something that was left has gone from the screen.
  private let signal = ChangeSignal()
  /// Told whenever the screen may show another alert.
  private let freed = ChangeSignal()

  init(_ base: any AlertPresenter) { self.base = base }

  func waitUntilAttended() async throws { try await base.waitUntilAttended() }
  func waitUntilReopened(_ id: Alert.ID) async throws { try await base.waitUntilReopened(id) }

  func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    let left = state.withLock { state in
      state.departing.remove(alert.id)
      return state.left.removeValue(forKey: alert.id)
    }
    // What was answered meanwhile, to nobody, is not on the screen any more.
    if let left, left.alert.digest == alert.digest, base.setBacked(true, alert.id) {
      return try await follow(left.showing, of: alert)
    }
    left?.showing.cancel()
    await waitUntilNothingIsLeft()
    if Task.isCancelled { return .dismissed }
    return try await follow(Showing { try await self.presentInTurn(alert) }, of: alert)
  }

  /// Shows it once nothing else is shown: what this process asks itself, and what the broker elsewhere asks, come from
  /// two slots.
  private func presentInTurn(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    defer { freed.send() }
    for await _ in freed.changes() {
      do throws(AlertPresenterError) {
        return try await base.present(alert)
      } catch .busy {
        continue
      }
    }
    return .dismissed
  }

  private func follow(_ showing: Showing, of alert: Alert) async throws(AlertPresenterError) -> AlertResponse
  {
    let shown = state.withLock { state in
      state.lastNumber += 1
      let shown = Shown(alert: alert, showing: showing, number: state.lastNumber)
      state.shown[alert.id] = shown
      return shown
    }
    let (results, ended) = AsyncStream.makeStream(of: Result<AlertResponse, any Error>.self)
    Task { ended.yield(await showing.result) }
    // Ends at once when nobody stands behind it any more, though it may stay on the screen.
    let result = await withTaskCancellationHandler {
      await results.first { _ in true }
    } onCancel: {
      leave(shown)
    }
    state.withLock { state in
      if state.shown[alert.id]?.number == shown.number { state.shown[alert.id] = nil }
    }
    switch result {
    case nil: return .dismissed
    case .success(let response): return response
    case .failure(let error as AlertPresenterError): throw error
    case .failure: return .dismissed
    }
  }

  /// Takes an alert away, or leaves it on the screen for the next broker.
  private func leave(_ shown: Shown) {
    let id = shown.alert.id
    let stays = state.withLock { state in
      guard state.shown[id]?.number == shown.number else { return false }
      state.shown[id] = nil
      guard state.departing.contains(id) else { return false }
      state.left[id] = shown
      return true
    }
    guard stays else { return shown.showing.cancel() }
    _ = base.setBacked(false, id)
    Task {
      _ = await shown.showing.result
      forget(shown)
    }
  }

  private func forget(_ shown: Shown) {
    state.withLock { state in
      if state.left[shown.alert.id]?.number == shown.number { state.left[shown.alert.id] = nil }
    }
    signal.send()
  }

  // MARK: Handing over

  /// From now on what is shown stays on the screen also when it is cancelled, until ``end()``.
  func begin() {
    state.withLock { $0.departing = Set($0.shown.keys) }
  }

  /// Ends the handing over: withdraws what no broker has shown again.
  func end() {
    let left = state.withLock { state in
      defer { (state.departing, state.left) = ([], [:]) }
      return state.left.values.map(\.showing)
    }
    left.forEach { $0.cancel() }
    signal.send()
  }

  private func waitUntilNothingIsLeft() async {
    for await _ in signal.changes() where state.withLock(\.left.isEmpty) { return }
  }
}
