import Machine

/// An operation that runs other operations one after another, with waits between them, and returns the output
/// of the last one.
///
/// Each operation runs as a child. If one of the operations fails, is cancelled or is skipped, the whole repetition
/// ends in the same way. To continue after a failure, wrap each operation in `RetryOperation` or `IgnoringErrors`.
public struct RepeatOperation<Repeated: Operation>: Operation {
  public let name: String
  public let conditions: [any OperationCondition]
  private let maxCount: Int
  private let strategy: WaitStrategy
  private let goesOn: @Sendable (Repeated.Output) -> Bool
  private let make: @Sendable (_ number: Int) throws -> Repeated?

  /// - Parameters:
  ///   - name: The name of the operation.
  ///   - maxCount: The maximum number of runs, including the first; no limit by default.
  ///   - strategy: The waits between runs. There is no wait before the first run.
  ///   - conditions: The conditions of the repetition as a whole.
  ///   - goesOn: A closure that receives the output of a run and returns whether another run follows.
  ///   - make: A closure that creates the operation for the run with the given number, counted from 0. If the
  ///     closure returns `nil`, the repetition ends.
  public init(
    _ name: String = "repeat", maxCount: Int? = nil, waiting strategy: WaitStrategy = .immediate,
    conditions: [any OperationCondition] = [],
    while goesOn: @escaping @Sendable (Repeated.Output) -> Bool = { _ in true },
    make: @escaping @Sendable (_ number: Int) throws -> Repeated?
  ) {
    self.name = name
    self.conditions = conditions
    self.maxCount = maxCount ?? .max
    self.strategy = strategy
    self.goesOn = goesOn
    self.make = make
  }

  /// Runs the operations. Returns the output of the last operation that ran, or `nil` if none ran.
  public func execute(_ context: OperationContext) async throws -> Repeated.Output? {
    var (waits, number, last) = (strategy.waits(), 0, Repeated.Output?.none)
    while number < maxCount, let operation = try make(number) {
      if number > 0 { try await context.queue.clock.pause(for: waits.next() ?? .zero) }
      let output = try await context.run(operation)
      last = output
      number += 1
      guard goesOn(output) else { break }
    }
    return last
  }
}
