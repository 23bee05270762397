public import PermModel

/// Talks to the broker of a store from tasks. Each call has a connection of its own, which ends with the task that waits
/// for it.
public struct BrokerClient: Sendable {
  private let addresses: [BrokerAddress]

  /// - Parameter addresses: Where the broker may be, the best first.
  public init(addresses: [BrokerAddress]) {
    self.addresses = addresses
  }

  // MARK: Programs

  /// Asks for something, and tells what becomes of the request. Ending the iteration withdraws it.
  ///
  /// - Throws: ``BrokerSocketError`` if there is no broker; then, while iterating, ``BrokerError``.
  public func request(_ question: BrokerQuestion) throws -> AsyncThrowingStream<RequestProgress, any Error> {
    let replies = try ReplyStream.replies(
      to: Methods.Request.self, question.parameters, more: true, among: addresses)
    return mapped(replies) { RequestProgress($0) }
  }

  // MARK: Persons

  /// The requests that wait, the longest waiting first.
  public func pending() async throws -> [WaitingRequest] {
    try await call(Methods.Pending.self, .init()).requests.map(\.waiting)
  }

  /// Answers a request that waits; without an answer it is dismissed.
  ///
  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if it was answered or withdrawn before.
  public func answer(_ id: Request.ID, _ answer: Answer?) async throws {
    let origin = answer?.origin?.description
    _ = try await call(
      Methods.Answer.self, .init(id: id.text, answer: answer.map(Wire.Response.init), origin: origin))
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
