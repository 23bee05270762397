import Machine
import Operations

/// A waiter for the end of one request. Only the first end takes effect; any later end is ignored.
final class RequestWaiter: Sendable {
  typealias End = Result<RequestEnd, any Error>

  let asking: Asking

  private enum State {
    case open
    case waiting(CheckedContinuation<RequestEnd, any Error>)
    case ended(End)
  }

  private let state = Lock(State.open)
  private let early = Lock(false)
  private let opening = AsyncStream.makeStream(of: Never.self)

  init(_ asking: Asking) { self.asking = asking }

  var request: Request { asking.request }

  /// Notes that the request is in the store, or that it will never be there.
  func noteOpened() { opening.continuation.finish() }

  /// Waits until ``noteOpened()`` was called. Only one task can wait at a time.
  func untilOpened() async { for await _ in opening.stream {} }

  /// Waits until the request ends, and returns how it ended. Must be called only once.
  func end() async throws -> RequestEnd {
    try await withCheckedThrowingContinuation { continuation in
      let early: End? = state.withLock { state in
        if case .ended(let end) = state { return end }
        state = .waiting(continuation)
        return nil
      }
      if let early { continuation.resume(with: early) }
    }
  }

  func finish(_ end: End) {
    let waiting: CheckedContinuation<RequestEnd, any Error>? = state.withLock { state in
      defer { if case .ended = state {} else { state = .ended(end) } }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume(with: end)
  }

  /// Ends a request that was not in the store when its prompt ended. The task that puts the request into the store also
  /// closes it there.
  func finishEarly(_ end: RequestEnd) {
    early.withLock { $0 = true }
    finish(.success(end))
  }

  /// Whether the request ended before it was in the store.
  var endedEarly: Bool { early.withLock { $0 } }

  func finish(_ end: RequestEnd) { finish(.success(end)) }
}
