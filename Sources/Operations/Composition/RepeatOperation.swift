/// Runs operations one after the other, with waits between them, and gives back the last one's output.
///
/// Each runs as a child. If one fails, is cancelled or skipped, so is this: wrap it in `RetryOperation` or
/// `IgnoringErrors` to go on.
public struct RepeatOperation<Repeated: Operation>: Operation {
  public let name: String
  public let conditions: [any OperationCondition]
  private let maxCount: Int
  private let strategy: WaitStrategy
  private let goesOn: @Sendable (Repeated.Output) -> Bool
  private let make: @Sendable (_ number: Int) throws -> Repeated?

  /// - Parameters:
  ///   - maxCount: How many run at most, the first included; no limit unless given.
  ///   - strategy: The waits between them. There is none before the first.
  ///   - goesOn: Whether another one follows an output.
  ///   - make: Makes the next, by its number from 0; `nil` is the end.
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

  /// The output of the last one that ran; `nil` if none did.
  public func execute(_ context: OperationContext) async throws -> Repeated.Output? {
    var (waits, number, last) = (strategy.waits(), 0, Repeated.Output?.none)
    while number < maxCount, let operation = try make(number) {
      if number > 0 { try await waits.sleepNext(context.queue.clock) }
      let output = try await context.run(operation)
      last = output
      number += 1
      guard goesOn(output) else { break }
    }
    return last
  }
}

extension WaitStrategy.Waits {
  /// Sleeps for the next wait.
  mutating func sleepNext(_ clock: any Clock<Duration>) async throws {
    try Task.checkCancellation()
    guard let wait = next(), wait > .zero else { return }
    try await clock.sleep(for: wait)
  }
}
