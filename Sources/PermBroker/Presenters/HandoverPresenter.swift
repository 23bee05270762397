import Operations
import PermModel

/// Keeps what a person reads on the screen while one broker goes away and the next one takes over.
///
/// The next broker presents the same request again, maybe not as its first: then it goes on being shown as it is, and an
/// answer that was given meanwhile counts. What no broker presents again is withdrawn.
final class HandoverPresenter: AlertPresenter {
  private typealias Showing = Task<AlertResponse, any Error>

  private struct State {
    /// Whether the broker went away whose alerts are shown.
    var isHandingOver = false
    /// What that broker showed and no other has shown again yet. What is cancelled of it stays on the screen.
    var departing: Set<Alert.ID> = []
    var shown: [Alert.ID: Showing] = [:]
    /// Alerts of a broker that went away, with the response once there is one.
    var left: [Alert.ID: (showing: Showing, response: AlertResponse?)] = [:]
  }

  private let base: any AlertPresenter
  private let state = Lock(State())
  private let signal = ChangeSignal()
  /// Told whenever the screen may show another alert.
  private let freed = ChangeSignal()

  init(_ base: any AlertPresenter) { self.base = base }

  func waitUntilAttended() async throws { try await base.waitUntilAttended() }
  func waitUntilReopened(_ id: Alert.ID) async throws { try await base.waitUntilReopened(id) }

  func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    let left = state.withLock { state in
      state.departing.remove(alert.id)
      return state.left.removeValue(forKey: alert.id)?.showing
    }
    if let showing = left {
      return try await follow(showing, of: alert)
    }
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
    state.withLock { $0.shown[alert.id] = showing }
    let result = await withTaskCancellationHandler {
      await showing.result
    } onCancel: {
      leave(alert.id)
    }
    state.withLock { _ = $0.shown.removeValue(forKey: alert.id) }
    switch result {
    case .success(let response): return response
    case .failure(let error as AlertPresenterError): throw error
    case .failure: return .dismissed
    }
  }

  /// Takes an alert away, or leaves it on the screen for the next broker.
  private func leave(_ id: Alert.ID) {
    let withdrawn: Showing? = state.withLock { state in
      guard let showing = state.shown.removeValue(forKey: id) else { return nil }
      guard state.departing.contains(id) else { return showing }
      state.left[id] = (showing, nil)
      Task { await self.note(showing, of: id) }
      return nil
    }
    withdrawn?.cancel()
  }

  // MARK: Handing over

  /// From now on what is shown stays on the screen also when it is cancelled, until ``end(_:)``.
  func begin() {
    state.withLock { state in
      state.isHandingOver = true
      state.departing = Set(state.shown.keys)
    }
  }

  /// Ends the handing over: withdraws what is left and is not wanted any more.
  func end(_ wanted: (Alert.ID) -> Bool) {
    let unwanted = state.withLock { state in
      state.isHandingOver = false
      state.departing = []
      let unwanted = state.left.filter { !wanted($0.key) }
      for id in unwanted.keys { state.left[id] = nil }
      return unwanted.values.map(\.showing)
    }
    unwanted.forEach { $0.cancel() }
    signal.send()
  }

  /// A signal at once, and whenever something of it was answered or withdrawn.
  var changes: AsyncStream<Void> { signal.changes() }

  var isDone: Bool { state.withLock { $0.left.isEmpty && !$0.isHandingOver } }

  /// The answers that were given while no broker asked.
  var answers: [(id: Alert.ID, response: AlertResponse)] {
    state.withLock { $0.left.compactMap { id, left in left.response.map { (id, $0) } } }
  }

  /// Forgets an answer that a broker took.
  func forget(_ id: Alert.ID) { state.withLock { _ = $0.left.removeValue(forKey: id) } }

  private func note(_ showing: Showing, of id: Alert.ID) async {
    let response = (try? await showing.value) ?? .dismissed
    state.withLock { $0.left[id]?.response = response }
    signal.send()
  }

  private func waitUntilNothingIsLeft() async {
    for await _ in signal.changes() {
      let isOpen = state.withLock { $0.left.values.contains { $0.response == nil } }
      if !isOpen { return }
    }
  }
}
