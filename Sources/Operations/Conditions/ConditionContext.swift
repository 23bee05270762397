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

  /// How this condition's remedy ended, with its output; `nil` before it ran, or where there is none.
  let remedyEnding: OperationEnding?

  /// A look as a queue makes it, for testing a condition by itself.
  ///
  /// - Parameter remedy: What the condition's remedy returned or failed with; `nil` if none has run.
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

  /// What this condition's remedy returned; `nil` before it ran, if it did not succeed, or where there is none.
  public var remedyOutput: (any Sendable)? {
    if case .succeeded(let output) = remedyEnding { output } else { nil }
  }

  /// How this condition's remedy ended, with the error if it failed; `nil` before it ran, or where there is none.
  public var remedyOutcome: OperationOutcome? { remedyEnding?.outcome }

  /// How the operations that this one was added after ended, in the order in which they did.
  public var dependencies: [DependencyOutcome] { operation.record.details?.dependencies ?? [] }

  /// The same look, for a condition inside this one.
  public func forMember(remedyOutput: (any Sendable)?) -> ConditionContext {
    forMember(remedyOutput.map { .succeeded($0) })
  }

  func forMember(_ remedyEnding: OperationEnding?) -> ConditionContext {
    ConditionContext(look: look, operation: operation, remedyEnding: remedyEnding)
  }
}

/// How an operation that another was added after ended.
public struct DependencyOutcome: Sendable {
  public let operation: OperationReference
  public let outcome: OperationOutcome

  public init(operation: OperationReference, outcome: OperationOutcome) {
    self.operation = operation
    self.outcome = outcome
  }
}
