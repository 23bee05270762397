/// What a condition is told when it is looked at.
public struct ConditionContext: Sendable {
  /// Which of the up to three looks this is.
  public enum Look: Sendable {
    /// Before any remedy.
    case first
    /// After this condition's remedy ended.
    case afterRemedy
    /// After all waiting, just before the operation executes.
    case last
  }

  public let look: Look

  /// The operation that the condition is attached to.
  public let operation: OperationReference

  /// What this condition's remedy gave back; `nil` before it ran, if it failed, or where there is none.
  public let remedyOutput: (any Sendable)?

  /// How the operations that this one was added after ended, in the order in which they did.
  public var dependencies: [DependencyOutcome] { operation.record.details?.dependencies ?? [] }

  /// The same look, for a condition inside this one.
  public func forMember(remedyOutput: (any Sendable)?) -> ConditionContext {
    ConditionContext(look: look, operation: operation, remedyOutput: remedyOutput)
  }
}

/// How an operation that another was added after ended.
public struct DependencyOutcome: Sendable {
  public let operation: OperationReference
  public let outcome: OperationOutcome
}
