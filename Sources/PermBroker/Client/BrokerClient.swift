import Machine
package import PermModel

/// A way to call a broker from asynchronous tasks, on this machine or on another one.
protocol BrokerCaller: Sendable {
  /// Calls a method, and waits for its only reply.
  func call<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply

  /// Sends a call, and returns a sequence of all replies to it. Ending the iteration ends the call.
  func replies<Method: BrokerMethod>(
    to method: Method.Type, _ parameters: Method.Parameters
  ) throws -> AsyncThrowingStream<Method.Reply, any Error>
}

/// A client that calls a store's broker from asynchronous tasks. Each call uses its own connection. The connection is
/// closed when the task that waits for the reply ends.
package struct BrokerClient: BrokerCaller {
  let addresses: [BrokerAddress]

  /// - Parameter addresses: The possible addresses of the broker, in order of preference.
  package init(addresses: [BrokerAddress]) {
    self.addresses = addresses
  }

  /// Returns all changes to the store, whoever made them: first those that the journal recorded after the
  /// given position, then each new change as it happens.
  package func changes(
    since position: JournalEntry.ID?
  ) throws -> some AsyncSequence<StoreChange, any Error> & Sendable {
    try replies(to: Methods.Watch.self, .init(after: position)).map { try StoreChange($0) }
  }

  func call<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    let connection = try BrokerConnection(to: method.socket, among: addresses)
    try connection.send(method, parameters, more: false)
    let reply = try await first(
      of: { try await connection.next(of: method).reply },
      {
        try await QuietClock.sleep(for: BrokerConnection.patience)
        throw BrokerError.silent
      })
    guard let reply else { throw BrokerError.disconnected }
    return reply
  }

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
