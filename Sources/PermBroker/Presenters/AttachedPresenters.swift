import Machine
package import PermModel

/// All the places where a broker's alerts can be shown: the dashboard in the broker's own process, and the dashboards
/// attached to the broker.
///
/// Each alert is shown at one place; the other places only list it. If that place goes away, another one
/// shows the alert. If no place is left, the alert waits until one is attached.
package final class AttachedPresenters: AlertPresenter {
  /// A place that can show alerts.
  private struct Place: Sendable {
    /// The ID of the dashboard at this place.
    var dashboard: String
    var presenter: any AlertPresenter
    /// A number that distinguishes this place from an earlier one with the same dashboard ID.
    var number: Int
  }

  private struct State: Sendable {
    /// The places, in the order in which the person was last seen there. The most recent comes last.
    var places: [Place] = []
    var lastNumber = 0
  }

  private let state = Lock(State())
  private let signal = ChangeSignal()
  /// A closure that is called when a person has answered a request, before the answer takes effect.
  private let beforeAnswer: @Sendable (Alert) async -> Void

  init(beforeAnswer: @escaping @Sendable (Alert) async -> Void = { _ in }) {
    self.beforeAnswer = beforeAnswer
  }

  package var count: Int { state.withLock { $0.places.count } }

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

  /// Removes a place. Alerts that were shown or set aside there move to another place.
  package func detach(dashboard: String) {
    state.withLock { $0.places.removeAll { $0.dashboard == dashboard } }
    signal.send()
  }

  // MARK: Showing

  package func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    for await _ in signal.changes() {
      // The places that declined to show this alert. They are asked again when a place is added or removed.
      var declined: Set<Int> = []
      while let place = place(except: declined) {
        if let response = await show(turn, at: place) { return response }
        if Task.isCancelled { return .dismissed }
        declined.insert(place.number)
      }
    }
    return .dismissed
  }

  private func place(except declined: Set<Int>) -> Place? {
    state.withLock { $0.places.last { !declined.contains($0.number) } }
  }

  private func isThere(_ place: Place) -> Bool {
    state.withLock { $0.places.contains { $0.number == place.number } }
  }

  /// Shows the alert at one place, and returns the response. Returns `nil` if the place went away or declined
  /// to show the alert.
  private func show(_ turn: AlertTurn, at place: Place) async -> AlertResponse? {
    let turn = AlertTurn(id: turn.id, alert: turn.alert) { [self] in
      noteSeen(place)
      await turn.setAside()
    }
    let response = await withTaskGroup { group in
      group.addTask { try? await place.presenter.show(turn) }
      group.addTask { [self] in
        for await _ in signal.changes() where !isThere(place) { break }
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    guard isThere(place), !Task.isCancelled, let response else { return nil }
    noteSeen(place)
    guard case .answered(var answer) = response else { return response }
    if let alert = await turn.alert() { await beforeAnswer(alert) }
    answer.origin = answer.origin ?? .dashboard(id: place.dashboard)
    return .answered(answer)
  }

  /// Notes that the person was just seen at a place.
  private func noteSeen(_ place: Place) {
    state.withLock { state in
      guard let index = state.places.firstIndex(where: { $0.number == place.number }) else { return }
      state.places.append(state.places.remove(at: index))
    }
  }
}

/// A dashboard in another process. Alerts are sent to it over its connection, and it responds with calls to `Respond`.
final class RemotePresenter: AlertPresenter {
  let process: Int32
  /// A closure that ends the dashboard's attachment.
  let leave: @Sendable () -> Void
  /// The alerts that the dashboard shows or has set aside.
  let alerts = OpenAlerts()
  private let send: @Sendable (Methods.Attach.Reply) -> Void

  init(
    process: Int32, leave: @escaping @Sendable () -> Void,
    send: @escaping @Sendable (Methods.Attach.Reply) -> Void
  ) {
    self.process = process
    self.leave = leave
    self.send = send
  }

  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    if let response = try await alerts.follow(turn, show: { send(.init(show: Wire.Alert($0))) }) {
      return response
    }
    send(.init(withdraw: turn.id.text))
    return .dismissed
  }
}
