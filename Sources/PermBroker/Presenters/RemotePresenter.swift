import Machine
import PermModel

/// A dashboard in another process: alerts go to it over its connection, and come back as calls of Respond.
final class RemotePresenter: AlertPresenter {
  /// Sends something to the dashboard.
  typealias Send = @Sendable (Methods.Attach.Reply) -> Void

  /// The dashboard's process.
  let process: Int32
  /// Ends the dashboard's attachment.
  let leave: @Sendable () -> Void
  private let send: Send
  private struct Showing: Sendable {
    var alert: Alert
    var responses: AsyncStream<AlertResponse>.Continuation
  }

  private let open = Lock<[Alert.ID: Showing]>([:])
  private let aside = Lock<[Alert.ID: AsyncStream<Void>.Continuation]>([:])

  init(process: Int32, leave: @escaping @Sendable () -> Void, send: @escaping Send) {
    self.process = process
    self.leave = leave
    self.send = send
  }

  func present(_ alert: Alert) async throws(AlertPresenterError) -> AlertResponse {
    let (responses, continuation) = AsyncStream.makeStream(of: AlertResponse.self)
    open.withLock { $0[alert.id] = Showing(alert: alert, responses: continuation) }
    defer { open.withLock { _ = $0.removeValue(forKey: alert.id) } }
    send(.init(show: Wire.Alert(alert)))
    for await response in responses { return response }
    send(.init(withdraw: alert.id.text))
    guard Task.isCancelled else { throw .nobodyThere }
    return .dismissed
  }

  func waitUntilReopened(_ id: Alert.ID) async throws {
    let (reopened, continuation) = AsyncStream.makeStream(of: Void.self)
    aside.withLock { $0[id] = continuation }
    defer { aside.withLock { _ = $0.removeValue(forKey: id) } }
    for await _ in reopened { return }
    throw CancellationError()
  }

  /// The alert of this id as it was sent there; `nil` if none is shown.
  func showing(_ id: Alert.ID) -> Alert? { open.withLock { $0[id]?.alert } }

  /// Takes in what became of an alert; `false` if it is not shown there, or no longer.
  func respond(_ id: Alert.ID, _ response: AlertResponse) -> Bool {
    guard let showing = open.withLock({ $0.removeValue(forKey: id) }) else { return false }
    showing.responses.yield(response)
    showing.responses.finish()
    return true
  }

  /// The dashboard will not show it: it shows something else.
  func decline(_ id: Alert.ID) -> Bool {
    guard let showing = open.withLock({ $0.removeValue(forKey: id) }) else { return false }
    showing.responses.finish()
    return true
  }

  func reopen(_ id: Alert.ID) -> Bool {
    guard let continuation = aside.withLock({ $0[id] }) else { return false }
    continuation.yield()
    return true
  }
}
