import Machine

/// An observer that makes an operation fail if it takes too long.
///
/// The time is measured on the queue's clock. When the limit is reached, a waiting operation fails immediately. If the
/// operation is executing, its task is cancelled, and the operation fails when its work has ended. To limit each kind
/// of waiting separately, use `Deadlines`.
public final class TimeoutObserver: OperationObserver {
  /// The event from which the time is measured.
  public enum Start: Sendable {
    /// The operation is added, so the limit includes all waiting.
    case added
    /// The operation's work starts.
    case executing
  }

  private let limit: Duration
  private let start: Start
  private let timers = Lock<[OperationReference: Task<Void, Never>]>([:])

  /// - Parameters:
  ///   - limit: The time limit. If it is negative, the operation fails immediately with `TimeoutError.negative`.
  ///   - start: The event from which the time is measured. By default, the limit includes waiting.
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
    let (timeline, error) = (Timeline(operation.clock), TimeoutError.exceeded(limit, from: start))
    let end = timeline.now() + limit.asWait
    let timer = Task.quiet {
      guard (try? await timeline.sleep(end)) != nil else { return }
      operation.fail(with: error)
    }
    timers.withLock { $0[operation] = timer }
  }
}

/// A reason why a timeout made an operation fail.
public enum TimeoutError: Error, Equatable, CustomStringConvertible {
  /// The operation did not end in time.
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
