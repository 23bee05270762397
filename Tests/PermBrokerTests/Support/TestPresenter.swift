import Machine
import Operations
import PermModel

/// Shows alerts to a test, which answers them.
final class TestPresenter: AlertPresenter {
  private struct State {
    var showing: (alert: Alert, responses: AsyncStream<AlertResponse>.Continuation)?
    var aside: [Alert.ID: AsyncStream<Void>.Continuation] = [:]
    var backing: [Bool] = []
  }

  private let state = Lock(State())
  private let appeared = AsyncStream.makeStream(of: Alert.self)
  private let vanished = AsyncStream.makeStream(of: Alert.self)

  var showing: Alert? { state.withLock { $0.showing?.alert } }

  /// The reports of whether alerts still have an asker, in order.
  var backing: [Bool] { state.withLock { $0.backing } }

  func setBacked(_ isBacked: Bool, _ id: Alert.ID) -> Bool {
    state.withLock { state in
      state.backing.append(isBacked)
      return state.showing?.alert.id == id
    }
  }

  func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    if let other = showing { throw .busy(showing: other.id) }
    let (responses, continuation) = AsyncStream.makeStream(of: AlertResponse.self)
    state.withLock { $0.showing = (alert, continuation) }
    appeared.continuation.yield(alert)
    for await response in responses { return response }
    state.withLock { $0.showing = nil }
    vanished.continuation.yield(alert)
    return .dismissed
  }

  func waitUntilReopened(_ id: Alert.ID) async throws {
    let (reopened, continuation) = AsyncStream.makeStream(of: Void.self)
    state.withLock { $0.aside[id] = continuation }
    for await _ in reopened { return }
    throw CancellationError()
  }

  /// Waits for the next alert to appear.
  func next() async -> Alert {
    for await alert in appeared.stream { return alert }
    preconditionFailure("the presenter is gone")
  }

  /// Waits for an alert to be taken away.
  func nextWithdrawn() async -> Alert {
    for await alert in vanished.stream { return alert }
    preconditionFailure("the presenter is gone")
  }

  /// Waits for the next request to appear.
  func nextRequest() async -> RequestAlert? {
    if case .request(let alert) = await next().content { alert } else { nil }
  }

  /// Answers the present alert.
  func answer(_ response: AlertResponse) {
    let responses = state.withLock { state in
      defer { state.showing = nil }
      return state.showing?.responses
    }
    responses?.yield(response)
    responses?.finish()
  }

  /// Answers the present request, for everything that it asks for.
  func answer(_ verdict: Verdict, _ lifetime: LifetimeChoice = .once) {
    guard case .request(let alert) = showing?.content, let full = alert.choices.first else { return }
    answer(.answered(Answer(verdict, atoms: full.atoms, lifetime: lifetime)))
  }
}
