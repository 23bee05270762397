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
