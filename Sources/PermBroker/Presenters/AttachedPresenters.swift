import Machine
package import PermModel

/// All the places where a broker's alerts are shown: the dashboard in the broker's own process, and the dashboards
/// attached to the broker.
///
/// Each alert is shown at all places, and the first answer wins. An alert that was set aside at one place stays there,
/// and is shown at all places again when it is reopened or that place goes away. If there is no place, the alert waits
/// until one is attached.
package final class AttachedPresenters: AlertPresenter {
  /// A place that can show alerts.
  struct Place: Sendable {
    /// The ID of the dashboard at this place.
    var dashboard: String
    var presenter: any AlertPresenter
    /// A number that distinguishes this place from an earlier one with the same dashboard ID.
    var number: Int
    /// Whether no alert comes up by itself at this place.
    var isOnHold = false
  }

  private struct State: Sendable {
    var places: [Place] = []
    var lastNumber = 0
    /// The alerts that are on the screen of at least one place.
    var shown: Set<Alert.ID> = []
  }

  private let state = Lock(State())
  private let signal = ChangeSignal()
  /// A closure that is called when a person has answered a request, before the answer takes effect.
  private let beforeAnswer: @Sendable (Alert) async -> Void

  init(beforeAnswer: @escaping @Sendable (Alert) async -> Void = { _ in }) {
    self.beforeAnswer = beforeAnswer
  }

  package var count: Int { state.withLock { $0.places.count } }

  /// Whether alerts come up by themselves at any place.
  var isAttended: Bool { state.withLock { $0.places.contains { !$0.isOnHold } } }

  /// Sets whether a dashboard holds alerts.
  func hold(_ isOnHold: Bool, dashboard: String) {
    state.withLock { state in
      for index in state.places.indices where state.places[index].dashboard == dashboard {
        state.places[index].isOnHold = isOnHold
      }
    }
  }

  /// A sequence of the number of places: first the current number, then a new one whenever a place is added or removed.
  var counts: some AsyncSequence<Int, Never> & Sendable { signal.changes().map { [self] _ in count } }

  /// Adds a place.
  ///
  /// - Parameter dashboard: The dashboard's own ID, which is recorded with the decisions made there.
  package func attach(_ presenter: any AlertPresenter, dashboard: String) {
    state.withLock { state in
      state.lastNumber += 1
      state.places.removeAll { $0.dashboard == dashboard }
      state.places.append(Place(dashboard: dashboard, presenter: presenter, number: state.lastNumber))
    }
    signal.send()
  }

  func contains(_ dashboard: String) -> Bool {
    state.withLock { $0.places.contains { $0.dashboard == dashboard } }
  }

  /// Removes a place. Alerts that were set aside there are shown at the other places.
  package func detach(dashboard: String) {
    state.withLock { $0.places.removeAll { $0.dashboard == dashboard } }
    signal.send()
  }

  // MARK: Showing

  /// Returns whether an alert is on the screen of at least one place.
  func isShown(_ id: Alert.ID) -> Bool { state.withLock { $0.shown.contains(id) } }

  private func note(_ id: Alert.ID, isShown: Bool) {
    state.withLock { state in
      if isShown { state.shown.insert(id) } else { state.shown.remove(id) }
    }
  }

  package func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    let (events, send) = AsyncStream.makeStream(of: SharedShowing.Event.self)
    let watching = Task.quiet { [signal] in for await _ in signal.changes() { send.yield(.placesChanged) } }
    var showing = SharedShowing(turn, send)
    var end: (response: AlertResponse, place: Place)?
    for await event in events {
      end = showing.take(event, at: state.withLock { $0.places })
      note(turn.id, isShown: end == nil && showing.isShown)
      if end != nil { break }
    }
    note(turn.id, isShown: false)
    watching.cancel()
    await showing.end()
    guard let end, case .answered(var answer) = end.response else { return end?.response ?? .dismissed }
    if let alert = await showing.shown { await beforeAnswer(alert) }
    answer.origin = answer.origin ?? .dashboard(id: end.place.dashboard)
    return .answered(answer)
  }
}
