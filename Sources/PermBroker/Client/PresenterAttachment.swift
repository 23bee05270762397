import Machine
import Operations
package import PermModel

/// The attachment of this process's presenter to a broker in another process. The broker's alerts arrive over a
/// connection, and the responses go back as calls to `Respond`.
package final class PresenterAttachment: Sendable {
  private struct Shown: Sendable {
    var alert: Alert
    var isAside = false
    /// Signals that the broker has sent a set-aside alert again, so that the alert can be shown.
    let again: AsyncStream<Void>.Continuation
    var task: Task<Void, Never>?
  }

  private struct State {
    var shown: [Alert.ID: Shown] = [:]
    /// Whether the attachment has ended. If so, responses to the broker's alerts are no longer sent.
    var isOver = false
    /// The monotonic time in milliseconds at which the broker was last told of a key press.
    var lookedAt: Int64?
    /// The last call that tells whether this dashboard holds alerts.
    var holding: Task<Void, Never>?
  }

  private let client: BrokerClient
  private let presenter: any AlertPresenter
  private let dashboard: String
  private let state = Lock(State())

  /// - Parameter dashboard: The dashboard's random id, which is recorded with every decision made there.
  package init(_ client: BrokerClient, presenter: any AlertPresenter, dashboard: String) {
    self.client = client
    self.presenter = presenter
    self.dashboard = dashboard
  }

  /// Shows alerts until the broker goes away or the task is cancelled. Alerts that are on the screen at that
  /// time remain until ``withdraw()`` removes them.
  ///
  /// - Throws: ``BrokerSocketError`` if no broker can be reached; ``BrokerError/disconnected`` when the
  ///   broker goes away.
  package func run(attached: @Sendable () -> Void = {}) async throws {
    defer { leave() }
    for try await message in try client.replies(to: Methods.Attach.self, .init(dashboard: dashboard)) {
      if message.show == nil, message.withdraw == nil { attached() }
      if let id = message.withdraw {
        state.withLock { $0.shown.removeValue(forKey: Alert.ID(id)) }?.task?.cancel()
      }
      guard let alert = try message.show?.alert() else { continue }
      show(alert)
    }
    throw BrokerError.disconnected
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

  /// Waits until the broker has received the response to an alert that has been answered.
  func waitUntilSent(_ id: Alert.ID) async {
    guard let task = state.withLock({ $0.shown[id]?.task }) else { return }
    await withTaskCancellationHandler(operation: { await task.value }, onCancel: { task.cancel() })
  }

  /// Stops sending the presenter's responses to the broker.
  func leave() { state.withLock { $0.isOver = true } }

  /// Removes the remaining alerts from the screen.
  func withdraw() {
    let shown = state.withLock { state in
      defer { state.shown = [:] }
      return Array(state.shown.values)
    }
    shown.forEach { $0.task?.cancel() }
  }

  // MARK: One alert

  private func show(_ alert: Alert) {
    let old: Task<Void, Never>? = state.withLock { state in
      if var aside = state.shown[alert.id], aside.isAside {
        (aside.alert, aside.isAside) = (alert, false)
        state.shown[alert.id] = aside
        aside.again.yield()
        return nil
      }
      let (again, continuation) = AsyncStream.makeStream(of: Void.self)
      let old = state.shown[alert.id]?.task
      state.shown[alert.id] = Shown(
        alert: alert, again: continuation, task: Task.quiet { await self.present(alert.id, again) })
      return old
    }
    old?.cancel()
  }

  private func present(_ id: Alert.ID, _ again: AsyncStream<Void>) async {
    let turn = AlertTurn(id: id) { [self] in
      await self.alert(id, again)
    } setAside: { [self] in
      state.withLock { $0.shown[id]?.isAside = true }
      await respond(id, .aside)
    }
    do throws(AlertPresenterError) {
      let response = try await presenter.show(turn)
      if Task.isCancelled { return }
      if case .answered(let answer) = response { return await respond(id, .answered, answer) }
      await respond(id, Methods.Respond.Response(response))
    } catch {
      await respond(id, .declined)
    }
  }

  /// Returns the alert as the broker last sent it. If the alert was set aside, first asks the broker to send it again.
  private func alert(_ id: Alert.ID, _ again: AsyncStream<Void>) async -> Alert? {
    guard let shown = state.withLock({ $0.shown[id] }) else { return nil }
    guard shown.isAside else { return shown.alert }
    await respond(id, .reopened)
    for await _ in again { return state.withLock { $0.shown[id]?.alert } }
    return nil
  }

  private func respond(
    _ id: Alert.ID, _ response: Methods.Respond.Response, _ answer: Answer? = nil
  ) async {
    let alert = state.withLock { $0.isOver ? nil : $0.shown[id]?.alert }
    guard let alert else { return }
    // The call fails if somebody else has already answered or the broker is gone. Neither needs to be reported.
    _ = try? await client.call(
      Methods.Respond.self,
      .init(
        dashboard: dashboard, alert: id.text, response: response,
        answer: answer.map(Wire.Response.init), digest: alert.digest.description,
        origin: answer?.origin?.description))
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
      case .dismissed, .setAside: .dismissed
      }
  }
}
