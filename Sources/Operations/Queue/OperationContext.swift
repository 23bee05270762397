/// An executing operation's access to its queue. Through its context, the operation can run children, add operations
/// and wait for other operations.
public struct OperationContext: Sendable {
  let record: OperationRecord
  let ticket: SlotID?

  /// The executing operation.
  public var operation: OperationReference { OperationReference(record: record) }

  /// The queue in which the operation executes.
  public var queue: OperationQueue { record.queue }

  /// Proof for the exclusion scheduler that work is being done on behalf of this operation. `nil` if this operation
  /// holds no category and did not receive a lease, for instance from its parent.
  public var lease: ExclusionLease? {
    if let ticket { return ExclusionLease(scheduler: queue.exclusion, ticket: ticket) }
    return record.details?.lease
  }

  /// Runs a child and waits for its output.
  ///
  /// The child does not count toward the queue's width, and runs even while the queue is suspended. The child uses this
  /// operation's lease, so it is allowed to use the categories that this operation holds. Each category can be used by
  /// only one descendant at a time. Cancelling this operation cancels the child.
  ///
  /// - Throws: The error that the child's handle throws.
  @discardableResult
  public func run<Child: Operation>(
    _ child: Child, conditions: [any OperationCondition] = [],
    after dependencies: [any OperationDependency] = [], options: OperationOptions = OperationOptions()
  ) async throws -> Child.Output {
    let handle = addChild(child, conditions: conditions, after: dependencies, options: options)
    return try await withTaskCancellationHandler {
      try await handle.value
    } onCancel: {
      handle.cancel()
    }
  }

  /// Runs a closure as a child.
  @discardableResult
  public func run<Output: Sendable>(
    _ name: String = "block", conditions: [any OperationCondition] = [],
    after dependencies: [any OperationDependency] = [], options: OperationOptions = OperationOptions(),
    _ body: @escaping @Sendable (OperationContext) async throws -> Output
  ) async throws -> Output {
    try await run(BlockOperation(name, body), conditions: conditions, after: dependencies, options: options)
  }

  /// Adds an independent operation to the same queue. Unlike a child, the new operation counts toward the queue's width
  /// and does not get this operation's lease. It can run after this operation has ended.
  @discardableResult
  public func produce<Produced: Operation>(
    _ operation: Produced, conditions: [any OperationCondition] = [],
    after dependencies: [any OperationDependency] = [], options: OperationOptions = OperationOptions()
  ) -> OperationHandle<Produced.Output> {
    var options = options
    options.observers += record.observersOfChildren
    let handle = queue.add(operation, conditions: conditions, after: dependencies, options: options)
    record.tell(.produced(handle.reference))
    return handle
  }

  /// Adds a closure as an independent operation.
  @discardableResult
  public func produce<Output: Sendable>(
    _ name: String = "block", conditions: [any OperationCondition] = [],
    after dependencies: [any OperationDependency] = [], options: OperationOptions = OperationOptions(),
    _ body: @escaping @Sendable (OperationContext) async throws -> Output
  ) -> OperationHandle<Output> {
    produce(BlockOperation(name, body), conditions: conditions, after: dependencies, options: options)
  }

  /// Waits for the output of another operation, which is not a child of this one.
  ///
  /// This is like `handle.value`, but the queue knows about the wait. If the other operation in turn waits for this
  /// one, for instance for a category that this one holds, the waits form a cycle. One of the operations in the cycle
  /// then fails with `WaitCycle`. With `handle.value`, both operations would wait forever.
  ///
  /// - Throws: The error that `handle.value` throws.
  public func value<Output: Sendable>(of handle: OperationHandle<Output>) async throws -> Output {
    let wait = WaitGraph.Wait(who: operation, whom: handle.reference, reason: .outcome)
    await queue.exclusion.detector.during(wait) { _ = await handle.outcome }
    return try await handle.value
  }

  /// If this operation is a remedy or a child of a remedy, the operation that the remedy is for. Otherwise,
  /// this operation itself.
  var onBehalfOf: OperationReference { record.details?.beneficiary ?? operation }

  /// Adds a child as `run` does, but returns the child's handle without waiting. The parent must not end before the
  /// child does.
  ///
  /// - Parameters:
  ///   - other: A queue to use instead of this operation's own. The child needs a place in that queue.
  ///   - isCancelled: Whether the child is cancelled before it begins.
  func addChild<Child: Operation>(
    _ child: Child, to other: OperationQueue? = nil, conditions: [any OperationCondition] = [],
    after dependencies: [any OperationDependency] = [], options: OperationOptions = OperationOptions(),
    isCancelled: Bool = false
  ) -> OperationHandle<Child.Output> {
    var options = options
    options.priority = options.priority ?? record.details?.priority
    options.observers += record.observersOfChildren
    options.lease = options.lease ?? lease
    let admission = Admission(
      conditions: conditions, dependencies: dependencies, options: options, isChild: other == nil,
      parent: operation, isCancelled: isCancelled, beneficiary: record.details?.beneficiary)
    return (other ?? queue).add(child, admission)
  }
}
