/// The information for evaluating a condition.
public struct ConditionContext: Sendable {
  /// The evaluations of a condition, of which there are up to three.
  public enum Look: Sendable {
    /// Before any remedy.
    case first
    /// After this condition's remedy has ended.
    case afterRemedy
    /// After all waiting, right before the operation executes.
    case last
  }

  public let look: Look

  /// The operation that the condition is attached to.
  public let operation: OperationReference

  /// The ending of this condition's remedy, with its output; `nil` before it has run, or if there is none.
  let remedyEnding: OperationEnding?

  /// Creates a context like those that a queue creates, for testing a condition by itself.
  ///
  /// - Parameter remedy: The output or the error of the condition's remedy; `nil` if none has run.
  public init(
    look: Look, operation: OperationReference, remedy: Result<any Sendable, any Error>? = nil
  ) {
    let ending: OperationEnding? =
      switch remedy {
      case .success(let output): .succeeded(output)
      case .failure(let error): .failed(error)
      case nil: nil
      }
    self.init(look: look, operation: operation, remedyEnding: ending)
  }

  init(look: Look, operation: OperationReference, remedyEnding: OperationEnding?) {
    self.look = look
    self.operation = operation
    self.remedyEnding = remedyEnding
  }

  /// The output of this condition's remedy; `nil` before it has run, if it did not succeed, or if there is none.
  public var remedyOutput: (any Sendable)? {
    if case .succeeded(let output) = remedyEnding { output } else { nil }
  }

  /// The outcome of this condition's remedy, with the error if it failed; `nil` before it has run, or if there is none.
  public var remedyOutcome: OperationOutcome? { remedyEnding?.outcome }

  /// The outcomes of the operation's dependencies, in the order in which they ended.
  public var dependencies: [DependencyOutcome] { operation.record.details?.dependencies ?? [] }

  /// Returns the same context for a condition inside this one.
  public func forMember(remedyOutput: (any Sendable)?) -> ConditionContext {
    forMember(remedyOutput.map { .succeeded($0) })
  }

  func forMember(_ remedyEnding: OperationEnding?) -> ConditionContext {
    ConditionContext(look: look, operation: operation, remedyEnding: remedyEnding)
  }
}
