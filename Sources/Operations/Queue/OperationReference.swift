import Machine

/// A reference to an operation that was added to a queue. Unlike a handle, a reference does not depend on the
/// operation's output type. Every handle has a reference.
public struct OperationReference: Hashable, OperationDependency {
  let record: OperationRecord

  public var reference: OperationReference { self }
  public var id: OperationID { record.publicID }

  /// The clock of the operation's queue, for observers that measure time.
  public var clock: any Clock<Duration> { record.queue.clock }
}

/// A handle or a reference to an operation that was added to a queue. Other operations can depend on it.
public protocol OperationDependency: Sendable {
  var reference: OperationReference { get }
  /// The operation's identity, which is unique in the process.
  var id: OperationID { get }
}

extension OperationDependency {
  private var record: OperationRecord { reference.record }

  /// The name used in logs, in explanations and on the screen.
  public var name: String { record.name }

  /// The operation's current state.
  public var state: OperationState { record.queue.state(of: record) }

  /// The operation's outcome. Reading this property waits until the operation has ended. Cancelling the
  /// waiting task does not cancel the operation.
  public var outcome: OperationOutcome {
    get async { await record.end().outcome }
  }

  /// Waits until the operation has ended, but no longer than a limit. Cancelling the waiting task also ends the wait. The
  /// end of the wait has no effect on the operation.
  ///
  /// - Parameters:
  ///   - limit: The longest time to wait.
  ///   - clock: The clock that measures the limit. It is the real time unless another one is given, whatever clock the
  ///     queue has, so that a test which moves that clock by hand still ends.
  /// - Returns: The outcome; `nil` if the operation has not ended by the end of the wait.
  public func outcome(
    within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) async -> OperationOutcome? {
    await withTaskGroup { group in
      group.addTask { for await _ in events {} }
      group.addTask { try? await clock.sleep(for: limit.asWait) }
      await group.next()
      group.cancelAll()
    }
    return state.outcome
  }

  /// The operation's past and future events, from when it was added until it ends. Each access returns a new sequence.
  public var events: AsyncStream<OperationEvent> { record.queue.events(of: record) }

  /// Words that describe the operation's state, for instance the reason why it has not run yet. They are meant to
  /// follow the operation's name: “waits for “modal”, held by “Ask” for 3 s”.
  public var explanation: String { record.queue.explanation(of: record) }

  /// Cancels the operation. If the operation has not started, it never runs. If it is running, its task is
  /// cancelled, and its work decides when to end.
  public func cancel() { record.queue.cancel(record) }

  /// Makes the operation fail with an error. If the operation has not started, it fails immediately. If it is running,
  /// its task is cancelled, and it fails with the error when its work ends. If it has already ended, this method has no
  /// effect.
  public func fail(with error: any Error) { record.queue.fail(record, with: error) }
}

extension [any OperationDependency] {
  /// Calls a closure with the ID of each dependency, in order. Does not copy the dependencies: a copy retains an
  /// object, which takes longer than all that a queue does with one of a thousand dependencies.
  func forEachID(_ body: (OperationID) throws -> Void) rethrows {
    try withUnsafeBufferPointer { dependencies in
      try dependencies.withMemoryRebound(to: DependencyInPlace.self) { dependencies in
        for place in dependencies.indices { try body(dependencies[place].id()) }
      }
    }
  }
}

/// A dependency that is read where it is stored. The compiler copies an element of an array before it calls a
/// requirement of a protocol on it, except if the element's type has no copies.
private struct DependencyInPlace: ~Copyable {
  private let dependency: any OperationDependency

  borrowing func id() -> OperationID { dependency.id }
}

/// An operation's identity, unique in the process.
public struct OperationID: Hashable, Sendable, CustomStringConvertible {
  let queue: UInt32
  let slot: SlotID

  public var description: String { "\(queue).\(slot.index).\(slot.generation / 2)" }
}

/// A reason why an operation cannot wait for another one.
public enum DependencyError: Error, Equatable, CustomStringConvertible {
  /// The other operation is in another queue. Add both operations to the same queue, or wait for the other
  /// one while this one executes.
  case anotherQueue(operation: String)
  /// The other operation cannot end before this one, so both operations would wait forever.
  case cycle(operation: String)

  public var description: String {
    switch self {
    case .anotherQueue(let name):
      "“\(name)” is in another queue, so nothing here can be added after it. Add both to the same queue."
    case .cycle(let name):
      "“\(name)” waits for this operation, so this operation cannot wait for it."
    }
  }
}
