/// The way in which an operation ended. Each operation has one outcome, and it never changes.
public enum OperationOutcome: Sendable {
  /// It executed and returned its output.
  case succeeded
  /// It, one of its conditions or a deadline failed.
  case failed(any Error)
  /// It was cancelled, and either had not started or ended because of that.
  case cancelled
  /// A condition or the operation itself decided that it should not run, which is not an error.
  case skipped(reason: String)

  /// Whether it succeeded.
  public var isSuccess: Bool { if case .succeeded = self { true } else { false } }

  /// Whether it was cancelled.
  public var isCancelled: Bool { if case .cancelled = self { true } else { false } }

  /// The error that it failed with; `nil` if it did not fail.
  public var error: (any Error)? { if case .failed(let error) = self { error } else { nil } }
}

extension OperationOutcome: CustomStringConvertible {
  public var description: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed(let error): "failed: \(error)"
    case .cancelled: "was cancelled"
    case .skipped(let reason): "was skipped: \(reason)"
    }
  }
}

/// The way in which an operation ends, with its output.
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

  init(thrown error: any Error) {
    switch error {
    case is CancellationError: self = .cancelled
    case let skipped as OperationSkipped: self = .skipped(skipped.reason)
    default: self = .failed(error)
    }
  }
}

/// The error thrown to code that waits for the output of a skipped operation. An operation that throws it is skipped.
public struct OperationSkipped: Error, Equatable, CustomStringConvertible {
  public let reason: String

  public init(reason: String) { self.reason = reason }

  public var description: String { "The operation was skipped: \(reason)" }
}

/// The outcome of an operation that another one was added after.
public struct DependencyOutcome: Sendable {
  public let operation: OperationReference
  public let outcome: OperationOutcome

  public init(operation: OperationReference, outcome: OperationOutcome) {
    self.operation = operation
    self.outcome = outcome
  }
}
