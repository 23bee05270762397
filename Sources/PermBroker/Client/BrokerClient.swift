import Machine
package import PermModel

/// Calls a store's broker from tasks. Each call has its own connection, which ends with the task that waits for the
/// reply.
package struct BrokerClient: Sendable {
  private let addresses: [BrokerAddress]

  /// - Parameter addresses: The possible addresses of the broker, the best first.
  package init(addresses: [BrokerAddress]) {
    self.addresses = addresses
  }

  /// Changes by anyone: first those journalled after a position, then each new one as it happens.
  package func changes(
    since position: JournalEntry.ID?
  ) throws -> some AsyncSequence<StoreChange, any Error> & Sendable {
    try replies(to: Methods.Watch.self, .init(after: position)).map { StoreChange($0) }
  }

  func call<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    let connection = try BrokerConnection(to: method.socket, among: addresses)
    try connection.send(method, parameters, more: false)
    return try await connection.next(of: method).reply
  }

  /// The replies to a call with several replies. Ending the iteration ends the call.
  func replies<Method: BrokerMethod>(
    to method: Method.Type, _ parameters: Method.Parameters
  ) throws -> AsyncThrowingStream<Method.Reply, any Error> {
    let connection = try BrokerConnection(to: method.socket, among: addresses)
    try connection.send(method, parameters, more: true)
    let isOver = Lock(false)
    return AsyncThrowingStream {
      guard !isOver.withLock(\.self) else { return nil }
      let (reply, continues) = try await connection.next(of: method)
      isOver.withLock { $0 = !continues }
      return reply
    }
  }
}
