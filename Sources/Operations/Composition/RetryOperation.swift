import Machine

/// An operation that runs attempts, one after another, until an attempt succeeds or the operation gives up.
///
/// Each attempt runs as a child, so the attempt's conditions are evaluated each time. An attempt that was
/// cancelled or skipped is not repeated.
public struct RetryOperation<Attempt: Operation>: Operation {
  public let name: String
  public let conditions: [any OperationCondition]
  private let maxAttempts: Int
  private let strategy: WaitStrategy
  private let decide: @Sendable (RetryFailure) async -> RetryDecision
  private let make: @Sendable (_ number: Int) throws -> Attempt

  /// - Parameters:
  ///   - name: The name of the operation.
  ///   - maxAttempts: The maximum number of attempts, including the first. There is always at least one.
  ///   - strategy: The waits between attempts.
  ///   - conditions: The conditions of all attempts together.
  ///   - decide: A closure that decides whether another attempt follows. It is called after each failed
  ///     attempt, except after the last attempt that `maxAttempts` allows.
  ///   - make: A closure that creates the attempt with the given number, counted from 0.
  public init(
    _ name: String = "retry", maxAttempts: Int = 5,
    waiting strategy: WaitStrategy = .constant(.milliseconds(100)),
    conditions: [any OperationCondition] = [],
    decide: @escaping @Sendable (RetryFailure) async -> RetryDecision = { _ in .retry },
    make: @escaping @Sendable (_ number: Int) throws -> Attempt
  ) {
    self.name = name
    self.conditions = conditions
    self.maxAttempts = max(1, maxAttempts)
    self.strategy = strategy
    self.decide = decide
    self.make = make
  }

  /// Runs the attempts.
  ///
  /// - Throws: `RetriesFailed` if the operation gave up, or the attempt's error if an attempt was cancelled or skipped.
  public func execute(_ context: OperationContext) async throws -> Attempt.Output {
    var waits = strategy.waits()
    var failures = RetriesFailed()
    while true {
      do {
        return try await context.run(make(failures.attempts))
      } catch let error where error is CancellationError || error is OperationSkipped {
        throw error
      } catch {
        failures.append(error)
      }
      guard failures.attempts < maxAttempts else { throw failures }
      let failure = RetryFailure(soFar: failures, suggestedWait: waits.next() ?? .zero)
      guard let wait = await decide(failure).wait(suggested: failure.suggestedWait) else { throw failures }
      try await context.queue.clock.pause(for: wait)
    }
  }
}

/// The information for deciding whether to make another attempt after a failed one.
public struct RetryFailure: Sendable {
  /// The number of attempts so far, and their errors.
  public let soFar: RetriesFailed
  /// The wait that the strategy suggests.
  public let suggestedWait: Duration

  /// The error of the latest failed attempt.
  public var error: (any Error)? { soFar.errors.last }
}

/// A decision about whether another attempt follows.
public enum RetryDecision: Sendable, Equatable {
  /// Another attempt follows after the wait that the strategy suggests.
  case retry
  /// Another attempt follows after the given wait.
  case retryAfter(Duration)
  case giveUp

  fileprivate func wait(suggested: Duration) -> Duration? {
    switch self {
    case .retry: suggested
    case .retryAfter(let wait): wait
    case .giveUp: nil
    }
  }
}

/// The error of an operation whose attempts have all failed.
public struct RetriesFailed: CompoundError, CustomStringConvertible {
  /// The maximum number of errors to keep.
  public static let keptErrors = 100

  /// The number of attempts.
  public private(set) var attempts = 0

  /// The errors of the attempts, in order. Only the last hundred errors are kept.
  public private(set) var errors: [any Error] = []

  public init(_ errors: [any Error] = []) {
    for error in errors { append(error) }
  }

  mutating func append(_ error: any Error) {
    attempts += 1
    if errors.count == Self.keptErrors { errors.removeFirst() }
    errors.append(error)
  }

  public var description: String {
    let last = errors.last.map { "\($0)" } ?? "none"
    return attempts == 1
      ? "The only attempt failed: \(last)" : "\(attempts) attempts failed, the last with: \(last)"
  }
}
