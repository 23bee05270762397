import Machine

/// Makes an operation fail when it takes too long.
///
/// The time runs on the queue's clock. What waits fails at once; what executes is cancelled, and fails when its work
/// has ended. To limit each kind of waiting by itself, give the operation `Deadlines`.
public final class TimeoutObserver: OperationObserver {
  /// What the time is counted from.
  public enum Start: Sendable {
    /// From adding, so that waiting of all kinds counts.
    case added
    /// From the start of its work.
    case executing
  }

  private let limit: Duration
  private let start: Start
  private let timers = Lock<[OperationReference: Task<Void, Never>]>([:])

  /// - Parameters:
  ///   - limit: A negative one makes the operation fail at once, with `TimeoutError.negative`.
  ///   - start: Waiting counts too unless something else is chosen.
  public init(_ limit: Duration, from start: Start = .added) {
    self.limit = limit
    self.start = start
  }

  public func observe(_ event: OperationEvent, of operation: OperationReference) {
    switch (event, start) {
    case (.added, _) where limit < .zero: operation.fail(with: TimeoutError.negative(limit))
    case (.added, .added), (.executing, .executing): startTimer(for: operation)
    case (.ended, _): timers.withLock { $0.removeValue(forKey: operation) }?.cancel()
    default: break
    }
  }

  private func startTimer(for operation: OperationReference) {
    let (clock, error) = (operation.clock, TimeoutError.exceeded(limit, from: start))
    let end = Timeline(clock).moment(after: limit)
    let timer = Task.detached {
      guard (try? await end()) != nil else { return }
      operation.fail(with: error)
    }
    timers.withLock { $0[operation] = timer }
  }
}

/// Why a timeout made an operation fail.
public enum TimeoutError: Error, Equatable, CustomStringConvertible {
  /// It did not end in time.
  case exceeded(Duration, from: TimeoutObserver.Start)
  /// A negative limit was given.
  case negative(Duration)

  public var description: String {
    switch self {
    case .exceeded(let limit, from: .added): "It did not end within \(limit), waiting included."
    case .exceeded(let limit, from: .executing): "Its work did not end within \(limit)."
    case .negative(let limit): "The timeout is \(limit). A timeout is zero or more."
    }
  }
}

extension Timeline {
  /// The end of a time that starts now.
  fileprivate func moment(after wait: Duration) -> @Sendable () async throws -> Void {
    let end = now() + wait.asWait
    return { try await sleep(end) }
  }
}
