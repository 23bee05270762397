/// Where an operation is on its way.
public enum OperationState: Sendable {
  /// Operations that it was added after have not ended.
  case waitingForDependencies
  /// Nothing of its own is missing; the queue is suspended, or as wide as it may be.
  case waitingForTurn
  /// Its conditions are looked at, or their remedies run.
  case evaluatingConditions
  /// Somebody else holds one of its categories.
  case waitingForExclusion
  case executing
  case ended(OperationOutcome)

  /// Whether it has ended.
  public var hasEnded: Bool { outcome != nil }

  /// Whether its work is being done.
  public var isExecuting: Bool { if case .executing = self { true } else { false } }

  /// How it ended; `nil` until then.
  public var outcome: OperationOutcome? { if case .ended(let outcome) = self { outcome } else { nil } }
}
