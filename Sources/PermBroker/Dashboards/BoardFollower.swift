import Machine
import Operations
import PermModel

/// A dashboard's part in the board of a broker in another process. Its pictures arrive over a connection, and the
/// person's responses go back as calls to `Respond`.
final class BoardFollower: Sendable {
  private struct State {
    /// Whether the dashboard has left. Its responses are no longer sent.
    var isOver = false
    /// The monotonic time in milliseconds at which the broker was last told of a key press.
    var lookedAt: Int64?
    /// The last call that tells whether this dashboard holds alerts.
    var holding: Task<Void, Never>?
  }

  private let client: any BrokerCaller
  private let dashboard: String
  /// The end of the digests of alerts, which names the machine of the broker; empty on this machine.
  private let digestEnd: String
  private let state = Lock(State())

  /// - Parameters:
  ///   - dashboard: The dashboard's random id, which is recorded with every decision made there.
  ///   - machine: The id of the broker if it is on another machine.
  init(_ client: any BrokerCaller, dashboard: String, machine: String? = nil) {
    self.client = client
    digestEnd = machine.map { "@\($0)" } ?? ""
    self.dashboard = dashboard
  }

  /// Follows the board until the broker goes away or the task is cancelled.
  ///
  /// - Parameters:
  ///   - onlyPicks: Whether the person picks requests from a list, so that no alert is shown.
  ///   - listed: Receives the list of what waits there, after each change; `nil` if the dashboard does not want to know.
  ///   - changed: Receives each new picture. The first one is empty.
  /// - Throws: ``BrokerSocketError`` if no broker can be reached; ``BrokerError/disconnected`` when the
  ///   broker goes away.
  func run(
    onlyPicks: Bool = false, listed: ((WaitingList) -> Void)? = nil, _ changed: (ScreenPicture) -> Void
  ) async throws {
    defer { leave() }
    var (picture, waiting) = (ScreenPicture(), WaitingList())
    let attach = Methods.Attach.Parameters(
      dashboard: dashboard, picks: onlyPicks ? true : nil, waiting: listed == nil ? nil : WaitingList.most)
    for try await change in try client.replies(to: Methods.Attach.self, attach) {
      if let change = change.waiting {
        waiting = try change.list(after: waiting)
        listed?(waiting)
      }
      try change.apply(to: &picture)
      changed(picture)
    }
    throw BrokerError.disconnected
  }

  /// Stops sending responses.
  func leave() { state.withLock { $0.isOver = true } }

  // MARK: Calls

  /// Sends the person's response to an alert, and waits until it is stored.
  ///
  /// - Throws: ``AnswerRefused`` if the response has no effect; ``BrokerError`` if it cannot be accepted or stored.
  func respond(_ alert: Alert.ID, _ response: AlertResponse, to digest: AlertDigest) async throws {
    var answer: Answer?
    if case .answered(let given) = response { answer = given }
    do {
      try await send(
        .init(
          dashboard: dashboard, alert: alert.text, response: .init(response),
          answer: answer.map(Wire.Response.init), digest: digest.description + digestEnd,
          origin: answer?.origin?.description))
    } catch BrokerError.noSuchRequest {
      throw AnswerRefused.notShown(alert)
    } catch BrokerError.changed {
      throw AnswerRefused.changed
    }
  }

  /// Sends the person's answer to a request that was picked from a list, and waits until it is stored.
  ///
  /// - Throws: ``BrokerError`` if it has no effect, or cannot be accepted or stored.
  func answer(_ request: Request.ID, _ answer: Answer, to digest: AlertDigest) async throws {
    _ = try await client.call(
      Methods.Answer.self,
      .init(
        id: request.text, answer: Wire.Response(answer), digest: digest.description + digestEnd,
        origin: answer.origin?.description))
  }

  /// Asks the broker to show an alert again that was set aside here.
  func reopen(_ alert: Alert.ID) async throws {
    try await send(.init(dashboard: dashboard, alert: alert.text, response: .reopened))
  }

  private func send(_ response: Methods.Respond.Parameters) async throws {
    if state.withLock(\.isOver) { throw AnswerRefused.notShown(Alert.ID(response.alert)) }
    _ = try await client.call(Methods.Respond.self, response)
  }

  /// The time within which the broker is told of one key press at most.
  private static let betweenLooks: Int64 = 1_000

  /// Tells the broker that a key was pressed at this dashboard.
  func noteLook() {
    let now = SystemClock.monotonic.milliseconds
    let isNews = state.withLock { state in
      guard !state.isOver, state.lookedAt.map({ now - $0 >= Self.betweenLooks }) ?? true else { return false }
      state.lookedAt = now
      return true
    }
    guard isNews else { return }
    Task.quiet { [client, dashboard] in
      _ = try? await client.call(Methods.Look.self, .init(dashboard: dashboard))
    }
  }

  /// Tells the broker whether this dashboard holds alerts. The calls are made one after the other, in this order.
  func hold(_ isOnHold: Bool) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.holding = Task.quiet { [client, dashboard, before = state.holding] in
        await before?.value
        _ = try? await client.call(Methods.Hold.self, .init(dashboard: dashboard, holds: isOnHold))
      }
    }
  }
}

extension Methods.Respond.Response {
  fileprivate init(_ response: AlertResponse) {
    self =
      switch response {
      case .answered: .answered
      case .confirmed: .confirmed
      case .refused: .refused
      case .acknowledged: .acknowledged
      case .setAside: .aside
      case .dismissed: .dismissed
      }
  }
}
