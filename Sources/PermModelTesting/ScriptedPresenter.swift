import Machine
public import PermModel

/// A presenter that passes alerts to a test. The test answers each alert itself, or provides a script that does so.
public final class ScriptedPresenter: AlertPresenter {
  private enum Event: Sendable {
    case response(AlertResponse)
    case reopened
  }

  private struct Entry: Sendable {
    let alert: Alert
    var isAside = false
    let events: AsyncStream<Event>.Continuation
  }

  private struct State: Sendable {
    var shown: [Alert] = []
    var open: [Alert.ID: Entry] = [:]

    var showing: Entry? { open.values.first { !$0.isAside } }
  }

  private let script: @Sendable (Alert) -> AlertResponse?
  private let state = Lock(State())
  private let appeared = AsyncStream.makeStream(of: Alert.self)

  /// - Parameter script: Returns the response to an alert, or `nil` if the test answers the alert itself.
  public init(_ script: @escaping @Sendable (Alert) -> AlertResponse? = { _ in nil }) { self.script = script }

  /// All alerts that were shown, in order.
  public var shown: [Alert] { state.withLock { $0.shown } }

  /// The alert that is currently shown; `nil` if there is none.
  public var showing: Alert? { state.withLock { $0.showing?.alert } }

  public func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    defer { state.withLock { $0.open[turn.id] = nil } }
    while let alert = await turn.alert() {
      try open(Entry(alert: alert, events: continuation))
      guard let response = await response(from: events, turn) else { continue }
      return response
    }
    return .dismissed
  }

  /// Waits for the test's response; `nil` if the alert was set aside and reopened.
  private func response(from events: AsyncStream<Event>, _ turn: AlertTurn) async -> AlertResponse? {
    for await event in events {
      switch event {
      case .response(.setAside): await turn.setAside()
      case .response(let response): return response
      case .reopened: return nil
      }
    }
    return .dismissed
  }

  private func open(_ entry: Entry) throws(AlertPresenterError) {
    let alert = entry.alert
    try state.withLock { state throws(AlertPresenterError) in
      if let other = state.showing?.alert.id, other != alert.id { throw .busy(showing: other) }
      state.open[alert.id] = entry
      state.shown.append(alert)
    }
    appeared.continuation.yield(alert)
    if let response = script(alert) { answer(response) }
  }

  /// Reopens an alert that was set aside. Returns `false` if the alert was not set aside.
  public func reopen(_ id: Alert.ID) -> Bool {
    let entry = state.withLock { $0.open[id] }
    guard let entry, entry.isAside else { return false }
    state.withLock { $0.open[id] = nil }
    entry.events.yield(.reopened)
    return true
  }

  /// Waits for the next alert to appear.
  public func next() async -> Alert {
    for await alert in appeared.stream { return alert }
    preconditionFailure("the presenter is gone")
  }

  /// Waits for the next alert to appear. Returns `nil` if that alert is not about a request.
  public func nextRequest() async -> RequestAlert? {
    if case .request(let alert) = await next().content { alert } else { nil }
  }

  /// Responds to the alert that is currently shown.
  public func answer(_ response: AlertResponse) {
    let entry = state.withLock { state in
      let entry = state.showing
      if let id = entry?.alert.id {
        if response == .setAside { state.open[id]?.isAside = true } else { state.open[id] = nil }
      }
      return entry
    }
    entry?.events.yield(.response(response))
  }

  /// Gives the same verdict on everything that the currently shown request asks for.
  public func answer(_ verdict: Verdict, _ lifetime: LifetimeChoice = .once) {
    guard case .request(let alert) = showing?.content, let full = alert.choices.first else { return }
    answer(.answered(Answer(verdict, atoms: full.atoms, lifetime: lifetime)))
  }
}
