/// The way in which an operation ended. Each operation has exactly one outcome, which never changes.
public enum OperationOutcome: Sendable, CustomStringConvertible {
  /// The operation executed and returned its output.
  case succeeded
  /// The operation failed, for instance because it threw an error, because a condition did not hold, or because a
  /// deadline passed.
  case failed(any Error)
  /// The operation was cancelled before it started, or its work ended because of a cancellation.
  case cancelled
  /// A condition, or the operation itself, decided that the operation should not run. This is not an error.
  case skipped(reason: String)

  /// Whether the operation succeeded.
  public var isSuccess: Bool { if case .succeeded = self { true } else { false } }

  /// Whether the operation was cancelled.
  public var isCancelled: Bool { if case .cancelled = self { true } else { false } }

  /// The error with which the operation failed; `nil` if it did not fail.
  public var error: (any Error)? { if case .failed(let error) = self { error } else { nil } }

  public var description: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed(let error): "failed: \(error)"
    case .cancelled: "was cancelled"
    case .skipped(let reason): "was skipped: \(reason)"
    }
  }
}

/// The outcome of an operation, including the operation's output if it succeeded.
enum OperationEnding: Sendable {
  case succeeded(any Sendable)
  case failed(any Error)
  case cancelled
  case skipped(String)

  var outcome: OperationOutcome {
    switch self {
    case .succeeded: .succeeded
    case .failed(let error): .failed(error)
    case .cancelled: .cancelled
    case .skipped(let reason): .skipped(reason: reason)
    }
  }

  init(_ result: Result<any Sendable, any Error>) {
    switch result {
    case .success(let output): self = .succeeded(output)
    case .failure(is CancellationError): self = .cancelled
    case .failure(let skipped as OperationSkipped): self = .skipped(skipped.reason)
    case .failure(let error): self = .failed(error)
    }
  }
}

/// The error thrown to code that waits for the output of a skipped operation. An operation that throws this error ends
/// as skipped instead of failed.
public struct OperationSkipped: Error, Equatable, CustomStringConvertible {
  public let reason: String

  public init(reason: String) { self.reason = reason }

  public var description: String { "The operation was skipped: \(reason)" }
}

/// The outcome of an operation that another operation waited for.
public struct DependencyOutcome: Sendable {
  public let operation: OperationReference
  public let outcome: OperationOutcome

  public init(operation: OperationReference, outcome: OperationOutcome) {
    self.operation = operation
    self.outcome = outcome
  }
}
