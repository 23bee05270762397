/// A stage of an operation's life in a queue.
public enum OperationState: Sendable {
  /// At least one of the operation's dependencies has not ended.
  case waitingForDependencies
  /// The operation is ready, but the queue is suspended, all of the queue's places are taken, or the
  /// operation still waits for a thread.
  case waitingForTurn
  /// The operation's conditions are being evaluated, or their remedies are running.
  case evaluatingConditions
  /// Another operation holds a category that this operation needs, or is ahead of this operation in line.
  case waitingForExclusion
  case executing
  case ended(OperationOutcome)

  /// Whether the operation has ended.
  public var hasEnded: Bool { outcome != nil }

  /// Whether the operation's work is running.
  public var isExecuting: Bool { if case .executing = self { true } else { false } }

  /// The operation's outcome; `nil` until it has ended.
  public var outcome: OperationOutcome? { if case .ended(let outcome) = self { outcome } else { nil } }
}
