import Operations

/// Notices each step of the operations of a queue, so that a view of them can be drawn again.
struct OperationSteps: OperationObserver {
  /// Several that nobody has looked at yet become one. For one consumer.
  let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func observe(_ event: OperationEvent, of operation: OperationReference) { continuation.yield() }

  func observer(ofChildOf parent: OperationReference) -> (any OperationObserver)? { self }
}
