/// The information that a condition receives when it is evaluated.
public struct ConditionContext: Sendable {
  /// One evaluation of a condition.
  public enum Look: Sendable {
    /// The first evaluation, before any remedy runs.
    case first
    /// The evaluation when the turn of this condition's remedy has come, if the remedy had to wait for it. If the condition
    /// holds by then, the remedy does not run.
    case beforeRemedy
    /// The evaluation after this condition's remedy has ended.
    case afterRemedy
    /// The last evaluation, after all waiting and right before the operation executes.
    case last
  }

  public let look: Look

  /// The operation that the condition is attached to.
  public let operation: OperationReference

  /// The outcome of this condition's remedy, including the remedy's output. `nil` unless a remedy has ended.
  let remedyEnding: OperationEnding?

  /// Creates a context like the ones that a queue creates, so that a condition can be tested in isolation.
  ///
  /// - Parameters:
  ///   - look: Which of an operation's looks at its conditions this is.
  ///   - operation: The operation that the condition is attached to.
  ///   - remedy: The output or the error of the condition's remedy; `nil` if no remedy has run.
  public init(
    look: Look, operation: OperationReference, remedy: Result<any Sendable, any Error>? = nil
  ) {
    self.init(look: look, operation: operation, remedyEnding: remedy.map { OperationEnding($0) })
  }

  init(look: Look, operation: OperationReference, remedyEnding: OperationEnding?) {
    self.look = look
    self.operation = operation
    self.remedyEnding = remedyEnding
  }

  /// The output of this condition's remedy. `nil` unless a remedy has run and succeeded.
  public var remedyOutput: (any Sendable)? {
    if case .succeeded(let output) = remedyEnding { output } else { nil }
  }

  /// The outcome of this condition's remedy, including the error if the remedy failed. `nil` unless a remedy has ended.
  public var remedyOutcome: OperationOutcome? { remedyEnding?.outcome }

  /// The outcomes of the operation's dependencies, in the order in which the dependencies ended.
  public var dependencies: [DependencyOutcome] { operation.record.details?.dependencies ?? [] }

  /// Returns a copy of this context for an inner condition, for instance a member of a compound condition. The copy
  /// contains the output of the inner condition's remedy.
  public func forMember(remedyOutput: (any Sendable)?) -> ConditionContext {
    forMember(remedyOutput.map { .succeeded($0) })
  }

  func forMember(_ remedyEnding: OperationEnding?) -> ConditionContext {
    ConditionContext(look: look, operation: operation, remedyEnding: remedyEnding)
  }
}
