import Machine
import Operations
package import PermModel

/// One place where the alerts of a broker elsewhere are shown: alerts come over a connection, and what becomes of them
/// goes back as calls of Respond.
package final class PresenterAttachment: Sendable {
  private struct State {
    var shown: [Alert.ID: Task<Void, Never>] = [:]
    /// Set when the broker is gone: nobody is told any more what becomes of its alerts.
    var isOver = false
  }

  private let client: BrokerClient
  private let presenter: any AlertPresenter
  private let dashboard: String
  private let state = Lock(State())

  /// - Parameter dashboard: A random id, which marks what is decided here.
  package init(_ client: BrokerClient, presenter: any AlertPresenter, dashboard: String) {
    self.client = client
    self.presenter = presenter
    self.dashboard = dashboard
  }

  /// Shows alerts until the broker goes away or the task is cancelled. What is shown then is left to
  /// ``withdraw()``.
  ///
  /// - Throws: ``BrokerSocketError`` if there is no broker, ``BrokerError/disconnected`` when it goes away.
  package func run(attached: @Sendable () -> Void = {}) async throws {
    defer { leave() }
    for try await message in try client.replies(to: Methods.Attach.self, .init(dashboard: dashboard)) {
      if message.show == nil, message.withdraw == nil { attached() }
      if let id = message.withdraw { take(Alert.ID(id))?.cancel() }
      guard let alert = try message.show?.alert() else { continue }
      take(alert.id)?.cancel()
      state.withLock { $0.shown[alert.id] = Task { await self.show(alert) } }
    }
    throw BrokerError.disconnected
  }

  /// From now on nothing that happens to the presenter answers anything.
  func leave() { state.withLock { $0.isOver = true } }

  /// Takes away what is still shown.
  func withdraw() {
    let shown = state.withLock { state in
      defer { state.shown = [:] }
      return Array(state.shown.values)
    }
    shown.forEach { $0.cancel() }
  }

  private func take(_ id: Alert.ID) -> Task<Void, Never>? {
    state.withLock { $0.shown.removeValue(forKey: id) }
  }

  private func show(_ alert: Alert) async {
    let response: AlertResponse
    do throws(AlertPresenterError) {
      response = try await presenter.present(alert)
    } catch {
      return await respond(alert, .declined)
    }
    guard !Task.isCancelled else { return }
    switch response {
    case .answered(let answer): await respond(alert, .answered, answer)
    case .confirmed: await respond(alert, .confirmed)
    case .refused: await respond(alert, .refused)
    case .acknowledged: await respond(alert, .acknowledged)
    case .dismissed: await respond(alert, .dismissed)
    case .setAside:
      await respond(alert, .aside)
      guard (try? await presenter.waitUntilReopened(alert.id)) != nil else { return }
      await respond(alert, .reopened)
    }
  }

  private func respond(
    _ alert: Alert, _ response: Methods.Respond.Response, _ answer: Answer? = nil
  ) async {
    guard !state.withLock({ $0.isOver }) else { return }
    // Somebody else may have been first, or the broker may be gone; either way there is nothing to tell here.
    _ = try? await client.call(
      Methods.Respond.self,
      .init(
        dashboard: dashboard, alert: alert.id.text, response: response,
        answer: answer.map(Wire.Response.init), digest: alert.digest.description,
        origin: answer?.origin?.description))
  }
}
