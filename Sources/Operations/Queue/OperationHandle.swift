/// An operation that was added to a queue: its identity, its state and its output.
public struct OperationHandle<Output: Sendable>: Hashable, OperationDependency {
  let record: OperationRecord

  public var reference: OperationReference { OperationReference(record: record) }
  public var id: OperationID { record.publicID }

  /// The operation's output. Reading this property waits until the operation has ended. Cancelling the
  /// waiting task does not cancel the operation.
  ///
  /// - Throws: The error that the operation threw; `ConditionsFailed` if a condition did not hold;
  ///   `OperationSkipped` if the operation was skipped; `CancellationError` if it was cancelled;
  ///   `DeadlineError` if it exceeded a deadline.
  public var value: Output {
    get async throws {
      switch await record.end() {
      case .succeeded(let output): return typed(output)
      case .failed(let error): throw error
      case .cancelled: throw CancellationError()
      case .skipped(let reason): throw OperationSkipped(reason: reason)
      }
    }
  }

  private func typed(_ output: any Sendable) -> Output {
    guard let output = output as? Output else {
      preconditionFailure("“\(name)” succeeded with an output of another type than its handle's")
    }
    return output
  }
}
