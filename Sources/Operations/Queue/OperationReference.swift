import Machine

/// Names an operation that was added to a queue, whatever its output. The operation's handle has one.
public struct OperationReference: Sendable, OperationDependency {
  let record: OperationRecord

  public var reference: OperationReference { self }

  /// Tells this operation from all others in the process.
  public var id: OperationID { record.publicID }

  /// What logs, explanations and the screen call it.
  public var name: String { record.name }

  /// Where it is on its way now.
  public var state: OperationState { record.queue.state(of: record) }

  /// Waits until it has ended. Cancelling the task that waits does not cancel the operation.
  public var outcome: OperationOutcome {
    get async { await record.end().outcome }
  }

  /// Waits until it has ended, but no longer than a limit on its queue's clock. Cancelling the task that waits ends
  /// the wait too. Neither ends the operation.
  ///
  /// - Returns: `nil` if it has not ended.
  public func outcome(within limit: Duration) async -> OperationOutcome? {
    await withTaskGroup { [clock] group in
      group.addTask { for await _ in events {} }
      group.addTask { try? await clock.sleep(for: limit.asWait) }
      await group.next()
      group.cancelAll()
    }
    return state.outcome
  }

  /// What has happened to it from its adding on, and what will, up to its end. Each call gives a new sequence.
  public var events: AsyncStream<OperationEvent> { record.queue.events(of: record) }

  /// Why it has not run yet, in words; or that it executes, or how it ended. Reads after the operation's name:
  /// “waits for “modal”, held by “Ask” for 3 s”.
  public var explanation: String { record.queue.explanation(of: record) }

  /// The clock of its queue, by which an observer measures.
  public var clock: any Clock<Duration> { record.queue.clock }

  /// What has not started never runs; what runs sees task cancellation and ends by itself.
  public func cancel() { record.queue.cancel(record) }

  /// Ends it with an error: what has not started at once; what runs sees task cancellation, and fails with the error
  /// when it ends. Does nothing if it has ended.
  public func fail(with error: any Error) { record.queue.fail(record, with: error) }
}

extension OperationReference: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.record === right.record }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(record)) }
}

/// Tells operations apart, in the whole process.
public struct OperationID: Hashable, Sendable {
  let queue: UInt32
  let slot: SlotID
}

extension OperationID: CustomStringConvertible {
  public var description: String { "\(queue).\(slot.index).\(slot.generation / 2)" }
}

/// What an operation can be added after: a handle, whatever its output.
public protocol OperationDependency: Sendable {
  var reference: OperationReference { get }
  /// Tells this operation from all others in the process.
  var id: OperationID { get }
}
