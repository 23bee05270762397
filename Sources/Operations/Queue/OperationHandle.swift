/// An operation that was added to a queue: its identity, its state and its output.
public struct OperationHandle<Output: Sendable>: Sendable, OperationDependency {
  let record: OperationRecord

  public var reference: OperationReference { OperationReference(record: record) }

  /// Tells this operation from all others in the process.
  public var id: OperationID { record.publicID }

  /// What logs, explanations and the screen call it.
  public var name: String { record.name }

  /// Where it is on its way now.
  public var state: OperationState { reference.state }

  /// Waits until it has ended, and says how.
  public var outcome: OperationOutcome {
    get async { await record.end().outcome }
  }

  /// Waits until it has ended, but no longer than a limit on its queue's clock. Cancelling the task that waits ends
  /// the wait too. Neither ends the operation.
  ///
  /// - Returns: `nil` if it has not ended.
  public func outcome(within limit: Duration) async -> OperationOutcome? {
    await reference.outcome(within: limit)
  }

  /// Waits for the output. Cancelling the task that waits does not cancel the operation.
  ///
  /// - Throws: what the operation threw; `ConditionsFailed` if a condition did not hold; `OperationSkipped` if a
  ///   condition said that it shall not run; `CancellationError` if it was cancelled; `DeadlineError`.
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

  /// What has happened to it from its adding on, and what will, up to its end. Each call gives a new sequence.
  public var events: AsyncStream<OperationEvent> { reference.events }

  /// Why it has not run yet, in words; or that it executes, or how it ended.
  public var explanation: String { reference.explanation }

  /// What has not started never runs; what runs sees task cancellation and ends by itself.
  public func cancel() { reference.cancel() }

  /// Ends it with an error: at once if it has not started; otherwise its work sees task cancellation, and it fails with
  /// the error when that ends. Does nothing if it has ended.
  public func fail(with error: any Error) { reference.fail(with: error) }

  private func typed(_ output: any Sendable) -> Output {
    guard let output = output as? Output else {
      preconditionFailure("“\(name)” succeeded with an output of another type than its handle's")
    }
    return output
  }
}

extension OperationHandle: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.record === right.record }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(record)) }
}
