/// An operation that was added to a queue: its identity, its state and its output.
public struct OperationHandle<Output: Sendable>: Sendable, OperationDependency {
  let record: OperationRecord

  public var reference: OperationReference { OperationReference(record: record) }

  /// The identity of this operation, unique in the process.
  public var id: OperationID { record.publicID }

  /// The name used in logs, in explanations and on the screen.
  public var name: String { record.name }

  /// The operation's current state.
  public var state: OperationState { reference.state }

  /// The operation's outcome, once it has ended.
  public var outcome: OperationOutcome {
    get async { await record.end().outcome }
  }

  /// Waits until it has ended, but no longer than a limit on its queue's clock. Cancelling the waiting task also ends
  /// the wait. Neither ends the operation.
  ///
  /// - Returns: The outcome; `nil` if the operation has not ended.
  public func outcome(within limit: Duration) async -> OperationOutcome? {
    await reference.outcome(within: limit)
  }

  /// The operation's output, once it has succeeded. Cancelling the waiting task does not cancel the operation.
  ///
  /// - Throws: The error that the operation threw; `ConditionsFailed` if a condition did not hold; `OperationSkipped`
  ///   if a condition skipped it; `CancellationError` if it was cancelled; `DeadlineError` if it took too long.
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

  /// The operation's events, past and future, from when it was added until it ends. Each access returns a new sequence.
  public var events: AsyncStream<OperationEvent> { reference.events }

  /// The reason, in words, why it has not run yet; or that it is executing, or how it ended.
  public var explanation: String { reference.explanation }

  /// Cancels the operation. If it has not started, it never runs; if it is running, its task is cancelled and its work
  /// decides when to end.
  public func cancel() { reference.cancel() }

  /// Makes it fail with an error: at once if it has not started. Otherwise its task is cancelled, and it fails with the
  /// error when its work ends. Does nothing if it has ended.
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
