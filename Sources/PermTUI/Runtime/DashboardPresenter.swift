import Machine
import PermModel

/// Brings alerts to the dashboard's event loop, and its answers back to whoever presented them.
///
/// It shows one alert at a time and refuses a second one.
final class DashboardPresenter: AlertPresenter {
  private struct State {
    var showing: Alert.ID?
    var answer: CheckedContinuation<AlertResponse, Never>?
    /// Who waits for an alert that was set aside.
    var parked: [Alert.ID: CheckedContinuation<Void, any Error>] = [:]
    /// Alerts that were asked for again before anybody waited for that.
    var reopened: Set<Alert.ID> = []
    /// Whether nobody stands behind the alert that is shown.
    var isUnbacked = false
    /// Set when the dashboard is gone.
    var hasEnded = false
  }

  private let state = Lock(State())
  private let inbox: Inbox<Action>

  init(inbox: Inbox<Action>) { self.inbox = inbox }

  func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    let refusal: AlertPresenterError? = state.withLock { state in
      if state.hasEnded { return .nobodyThere }
      if let showing = state.showing { return .busy(showing: showing) }
      state.showing = alert.id
      state.isUnbacked = false
      return nil
    }
    if let refusal { throw refusal }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Sent before anybody can take it away, so that the two come in this order.
        let hasEnded = state.withLock { state in
          if state.hasEnded { return true }
          state.answer = continuation
          inbox.send(.presented(alert))
          return false
        }
        if hasEnded { return continuation.resume(returning: .dismissed) }
        // The cancellation may have come before there was anything to take away.
        if Task.isCancelled { withdraw(alert.id) }
      }
    } onCancel: {
      withdraw(alert.id)
    }
  }

  func setBacked(_ isBacked: Bool, _ id: Alert.ID) -> Bool {
    let isShown = state.withLock { state in
      guard state.showing == id else { return false }
      state.isUnbacked = !isBacked
      return true
    }
    if isShown { inbox.send(.backed(id, isBacked)) }
    return isShown
  }

  func waitUntilReopened(_ id: Alert.ID) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver: Bool? = state.withLock { state in
          if state.hasEnded { return nil }
          if state.reopened.remove(id) != nil { return true }
          state.parked[id] = continuation
          return false
        }
        switch isOver {
        case nil: continuation.resume(throwing: CancellationError())
        case true?: continuation.resume()
        case false?: if Task.isCancelled { abandon(id) }
        }
      }
    } onCancel: {
      abandon(id)
    }
  }
}

// MARK: - What the person does

extension DashboardPresenter {
  /// Hands an answer to whoever presented the alert.
  ///
  /// - Returns: `false` if nobody waits for it any more: then it has answered nothing.
  func respond(_ id: Alert.ID, _ response: AlertResponse) -> Bool {
    guard let (continuation, isBacked) = takeAnswer(for: id) else { return false }
    continuation.resume(returning: isBacked ? response : .dismissed)
    return isBacked
  }

  /// Lets an alert that was set aside ask again.
  func reopen(_ id: Alert.ID) {
    let continuation = state.withLock { state in
      let parked = state.parked.removeValue(forKey: id)
      if parked == nil { state.reopened.insert(id) }
      return parked
    }
    continuation?.resume()
  }

  /// Ends everything without an answer: the dashboard closes.
  func end() {
    let (answer, parked) = state.withLock { state in
      state.hasEnded = true
      defer {
        state.answer = nil
        state.showing = nil
        state.parked = [:]
      }
      return (state.answer, Array(state.parked.values))
    }
    answer?.resume(returning: .dismissed)
    for continuation in parked { continuation.resume(throwing: CancellationError()) }
  }

  /// Takes what waits for the answer to an alert, and whether somebody stands behind it.
  private func takeAnswer(
    for id: Alert.ID
  ) -> (continuation: CheckedContinuation<AlertResponse, Never>, isBacked: Bool)? {
    state.withLock { state in
      guard state.showing == id, let answer = state.answer else { return nil }
      state.showing = nil
      state.answer = nil
      return (answer, !state.isUnbacked)
    }
  }

  private func withdraw(_ id: Alert.ID) {
    guard let (continuation, _) = takeAnswer(for: id) else { return }
    inbox.send(.withdrawn(id))
    continuation.resume(returning: .dismissed)
  }

  private func abandon(_ id: Alert.ID) {
    guard let continuation = state.withLock({ $0.parked.removeValue(forKey: id) }) else { return }
    inbox.send(.withdrawn(id))
    continuation.resume(throwing: CancellationError())
  }
}
