import Machine
public import PermModel

/// A presenter that shows alerts to a test. The test answers each, or gives a script that does.
public final class ScriptedPresenter: AlertPresenter {
  private struct State {
    var showing: (alert: Alert, continuation: CheckedContinuation<AlertResponse, Never>)?
    /// The alerts that were withdrawn before they were shown.
    var withdrawn: Set<Alert.ID> = []
    var shown: [Alert] = []
    var mostAtOnce = 0
    var aside: [Alert.ID: CheckedContinuation<Void, any Error>] = [:]
  }

  private let script: @Sendable (Alert) -> AlertResponse?
  private let state = Lock(State())
  private let appeared = AsyncStream.makeStream(of: Alert.self)

  /// - Parameter script: Returns the answer to an alert; `nil` leaves it to the test.
  public init(_ script: @escaping @Sendable (Alert) -> AlertResponse? = { _ in nil }) { self.script = script }

  /// Every alert that was shown, in order.
  public var shown: [Alert] { state.withLock { $0.shown } }
  public var showing: Alert? { state.withLock { $0.showing?.alert } }

  public func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    if let other = showing { throw .busy(showing: other.id) }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWithdrawn = state.withLock { state in
          guard state.withdrawn.remove(alert.id) == nil else { return true }
          state.showing = (alert, continuation)
          state.shown.append(alert)
          return false
        }
        if isWithdrawn {
          continuation.resume(returning: .dismissed)
        } else {
          appeared.continuation.yield(alert)
          if let response = script(alert) { answer(response) }
        }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        guard let showing = state.showing, showing.alert.id == alert.id else {
          state.withdrawn.insert(alert.id)
          return nil as CheckedContinuation<AlertResponse, Never>?
        }
        state.showing = nil
        return showing.continuation
      }
      continuation?.resume(returning: .dismissed)
    }
  }

  public func waitUntilReopened(_ id: Alert.ID) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { $0.aside[id] = continuation }
        if Task.isCancelled { take(id)?.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      take(id)?.resume(throwing: CancellationError())
    }
  }

  private func take(_ id: Alert.ID) -> CheckedContinuation<Void, any Error>? {
    state.withLock { $0.aside.removeValue(forKey: id) }
  }

  /// Reopens an alert that was set aside; returns `false` if it was not.
  public func reopen(_ id: Alert.ID) -> Bool {
    guard let continuation = take(id) else { return false }
    continuation.resume()
    return true
  }

  /// Waits for the next alert to appear.
  public func next() async -> Alert {
    for await alert in appeared.stream { return alert }
    preconditionFailure("the presenter is gone")
  }

  /// Returns the next alert's request.
  public func nextRequest() async -> RequestAlert? {
    if case .request(let alert) = await next().content { alert } else { nil }
  }

  /// Answers the present alert.
  public func answer(_ response: AlertResponse) {
    let continuation = state.withLock { state in
      defer { state.showing = nil }
      return state.showing?.continuation
    }
    continuation?.resume(returning: response)
  }

  /// Answers the present request, for everything that it asks for.
  public func answer(_ verdict: Verdict, _ lifetime: LifetimeChoice = .once) {
    guard case .request(let alert) = showing?.content, let full = alert.choices.first else { return }
    answer(.answered(Answer(verdict, atoms: full.atoms, lifetime: lifetime)))
  }
}
