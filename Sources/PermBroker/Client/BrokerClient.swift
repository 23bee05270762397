public import PermModel

/// Talks to the broker of a store from tasks. Each call has a connection of its own, which ends with the task that waits
/// for it.
public struct BrokerClient: Sendable {
  private let addresses: [BrokerAddress]

  /// - Parameter addresses: Where the broker may be, the best first.
  public init(addresses: [BrokerAddress]) {
    self.addresses = addresses
  }

  // MARK: Persons

  /// The requests that wait, the longest waiting first.
  public func pending() async throws -> [PendingRequest] {
    try await call(Methods.Pending.self, .init()).requests.map { try $0.pending() }
  }

  /// Answers a request that waits, and no other.
  ///
  /// - Parameter digest: That of what the person has read: ``PendingRequest/digest``.
  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if it was answered or withdrawn before, ``BrokerError/changed`` if
  ///   something else is asked now.
  public func answer(_ id: Request.ID, _ answer: Answer, to digest: AlertDigest) async throws {
    let parameters = Methods.Answer.Parameters(
      id: id.text, answer: Wire.Response(answer), digest: digest.description,
      origin: answer.origin?.description)
    _ = try await call(Methods.Answer.self, parameters)
  }

  /// Ends a request without an answer.
  ///
  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if it was answered or withdrawn before.
  public func dismiss(_ id: Request.ID) async throws {
    _ = try await call(Methods.Answer.self, .init(id: id.text))
  }

  /// The newest entry of the journal; 0 if there is none yet.
  public func newestEntry() async throws -> JournalEntry.ID {
    try await call(Methods.Log.self, .init(limit: 1)).entries.first?.id ?? 0
  }

  /// Changes by anyone: what was journalled after a position, and then on and on.
  public func changes(since position: JournalEntry.ID?) throws -> AsyncThrowingStream<StoreChange, any Error>
  {
    let replies = try ReplyStream.replies(
      to: Methods.Watch.self, .init(after: position), more: true, among: addresses)
    return mapped(replies) { StoreChange(entries: $0.entries.map(\.entry), position: $0.position) }
  }

  // MARK: Calls

  func call<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    for try await reply in try ReplyStream.replies(to: method, parameters, more: false, among: addresses) {
      return reply
    }
    throw BrokerError.disconnected
  }

  func replies<Method: BrokerMethod>(
    to method: Method.Type, _ parameters: Method.Parameters
  ) throws -> AsyncThrowingStream<Method.Reply, any Error> {
    try ReplyStream.replies(to: method, parameters, more: true, among: addresses)
  }

  private func mapped<Reply: Sendable, Value: Sendable>(
    _ replies: AsyncThrowingStream<Reply, any Error>, _ transform: @escaping @Sendable (Reply) -> Value
  ) -> AsyncThrowingStream<Value, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Value.self)
    let task = Task {
      do {
        for try await reply in replies { continuation.yield(transform(reply)) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
