import Operations

/// Observes each step of a queue's operations, so that a view of them can be drawn again.
struct OperationSteps: OperationObserver {
  /// A signal after each step, for one consumer; signals that it has not received yet become one.
  let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func observe(_ event: OperationEvent, of operation: OperationReference) { continuation.yield() }

  func observer(ofChildOf parent: OperationReference) -> (any OperationObserver)? { self }
}
