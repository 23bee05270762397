/// The stages of an operation's life in a queue.
public enum OperationState: Sendable {
  /// Some operations that it was added after have not ended.
  case waitingForDependencies
  /// It is ready, but the queue is suspended or all its places are taken.
  case waitingForTurn
  /// Its conditions are being evaluated, or their remedies are running.
  case evaluatingConditions
  /// Another operation holds one of its categories, or is ahead of it in line.
  case waitingForExclusion
  case executing
  case ended(OperationOutcome)

  /// Whether it has ended.
  public var hasEnded: Bool { outcome != nil }

  /// Whether its work is running.
  public var isExecuting: Bool { if case .executing = self { true } else { false } }

  /// The outcome; `nil` until it has ended.
  public var outcome: OperationOutcome? { if case .ended(let outcome) = self { outcome } else { nil } }
}
