/// How an operation ended. There is one for each operation, and it never changes.
public enum OperationOutcome: Sendable {
  /// It executed and gave back its output.
  case succeeded
  /// It, one of its conditions or a deadline failed.
  case failed(any Error)
  /// It was cancelled, and either had not started or ended for that reason.
  case cancelled
  /// A condition said that it shall not run, and that is no error.
  case skipped(reason: String)

  /// Whether it succeeded.
  public var isSuccess: Bool { if case .succeeded = self { true } else { false } }

  /// Whether it was cancelled.
  public var isCancelled: Bool { if case .cancelled = self { true } else { false } }

  /// The error that it failed with.
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

/// How an operation ends, with what it gives back.
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
}

/// Thrown to whoever wants the output of an operation that a condition kept from running.
public struct OperationSkipped: Error, Equatable, CustomStringConvertible {
  public let reason: String

  public init(reason: String) { self.reason = reason }

  public var description: String { "The operation was skipped: \(reason)" }
}
