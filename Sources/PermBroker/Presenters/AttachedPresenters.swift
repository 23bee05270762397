import Machine
public import PermModel

/// All the places where a broker's alerts can be shown: the dashboard that it lives in, and those that attached.
///
/// One place shows an alert, the others only list it. If that place goes away, another one shows it; if there is none,
/// the alert waits for the next to come.
public final class AttachedPresenters: AlertPresenter {
  /// One place that can show alerts.
  private struct Place: Sendable {
    var presenter: any AlertPresenter
    /// Tells it from one that was there before under the same id.
    var number: Int
    /// Ends what it shows.
    var task: Task<AlertResponse, any Error>?
  }

  private struct State: Sendable {
    var places: [String: Place] = [:]
    var nextNumber = 0
    /// The place where the person was seen last is at the end.
    var order: [String] = []
    /// Wakes the alert that waits for a place.
    var wake: AsyncStream<Void>.Continuation?
    /// Alerts that were set aside.
    var aside: [Alert.ID: AsyncStream<Void>.Continuation] = [:]
  }

  /// Called when a person has answered a request, before the answer counts.
  typealias BeforeAnswer = @Sendable (Alert) async -> Void

  private let state = Lock(State())
  private let signal = ChangeSignal()
  private let beforeAnswer: BeforeAnswer

  init(beforeAnswer: @escaping BeforeAnswer = { _ in }) {
    self.beforeAnswer = beforeAnswer
  }

  /// How many places there are.
  public var count: Int { state.withLock { $0.places.count } }

  /// How many places there are, now and whenever one has come or gone.
  var counts: some AsyncSequence<Int, Never> & Sendable { signal.changes().map { [self] _ in count } }

  /// Adds a place.
  ///
  /// - Parameter dashboard: Its own id, which marks what is decided there.
  public func attach(_ presenter: any AlertPresenter, dashboard: String) {
    let (old, wake) = state.withLock { state in
      let old = state.places[dashboard]?.task
      state.nextNumber += 1
      state.places[dashboard] = Place(presenter: presenter, number: state.nextNumber)
      state.order.removeAll { $0 == dashboard }
      state.order.append(dashboard)
      return (old, state.wake)
    }
    old?.cancel()
    wake?.yield()
    signal.send()
  }

  /// Takes a place away. What it shows is shown elsewhere.
  public func detach(dashboard: String) {
    let place = state.withLock { state in
      state.order.removeAll { $0 == dashboard }
      return state.places.removeValue(forKey: dashboard)
    }
    place?.task?.cancel()
    signal.send()
  }

  // MARK: Showing

  public func waitUntilAttended() async throws {
    for await _ in wakes() where count > 0 { return }
    throw CancellationError()
  }

  /// An element now, and one for each place that comes. One alert at a time looks at them.
  private func wakes() -> AsyncStream<Void> {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.wake = wake }
    wake.yield()
    return wakes
  }

  public func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    defer { state.withLock { $0.wake = nil } }
    // Places that would not show this alert; a new one, or one that comes back, is asked again.
    var declined: Set<String> = []
    for await _ in wakes() {
      while let dashboard = nextPlace(except: declined) {
        guard let response = await show(alert, at: dashboard) else {
          if Task.isCancelled { return .dismissed }
          declined.insert(dashboard)
          continue
        }
        return response
      }
      declined = []
    }
    return .dismissed
  }

  private func nextPlace(except declined: Set<String>) -> String? {
    state.withLock { state in state.order.last { !declined.contains($0) } }
  }

  /// Shows the alert at one place; `nil` if the place went away or would not show it.
  private func show(_ alert: Alert, at dashboard: String) async -> AlertResponse? {
    guard let place = state.withLock({ $0.places[dashboard] }) else { return nil }
    let task = Task<AlertResponse, any Error> { try await place.presenter.present(alert) }
    if !change(place, of: dashboard, task: task) { task.cancel() }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let stillThere = change(place, of: dashboard, task: nil)
    guard stillThere, !Task.isCancelled, case .success(let response) = result else { return nil }
    return await counted(response, to: alert, from: dashboard)
  }

  /// Notes what a place shows; `false` if it is not there any more.
  private func change(_ place: Place, of dashboard: String, task: Task<AlertResponse, any Error>?) -> Bool {
    state.withLock { state in
      guard state.places[dashboard]?.number == place.number else { return false }
      state.places[dashboard]?.task = task
      return true
    }
  }

  /// The response with the place that it came from, after a last look at who asked.
  private func counted(
    _ response: AlertResponse, to alert: Alert, from dashboard: String
  ) async -> AlertResponse {
    state.withLock { state in
      state.order.removeAll { $0 == dashboard }
      if state.places[dashboard] != nil { state.order.append(dashboard) }
    }
    guard case .answered(var answer) = response else { return response }
    await beforeAnswer(alert)
    answer.origin = answer.origin ?? .dashboard(id: dashboard)
    return .answered(answer)
  }

  // MARK: Setting aside

  public func waitUntilReopened(_ id: Alert.ID) async throws {
    let (reopened, reopen) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let presenters = state.withLock { state in
      state.aside[id] = reopen
      return state.places.values.map(\.presenter)
    }
    let listeners = presenters.map { presenter in
      Task { if (try? await presenter.waitUntilReopened(id)) != nil { reopen.yield() } }
    }
    defer {
      listeners.forEach { $0.cancel() }
      state.withLock { state in _ = state.aside.removeValue(forKey: id) }
    }
    for await _ in reopened { return }
    throw CancellationError()
  }

  /// Brings an alert back that was set aside; `false` if it was not.
  @discardableResult
  public func reopen(_ id: Alert.ID) -> Bool {
    guard let reopen = state.withLock({ $0.aside[id] }) else { return false }
    reopen.yield()
    return true
  }
}
