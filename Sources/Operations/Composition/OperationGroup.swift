import Machine

/// An executing group and its children.
///
/// The group can be passed to its children, which can then add more children to it. A child added to a cancelled group
/// is cancelled and never runs. A child added to a group that has ended fails with `GroupError.hasEnded`.
public final class OperationGroup: Sendable {
  private struct State: Sendable {
    var children: [OperationReference] = []
    /// The number of calls to `add` that are in progress. The group does not end while there are any.
    var adding = 0
    var isCancelled = false
    var hasEnded = false
    /// The continuation of the group's `end` method while that method waits for the next child.
    var ending: UnsafeContinuation<OperationReference?, Never>?
  }

  private let context: OperationContext
  private let state = Lock(State())

  /// The group's own queue for its children, which can be suspended, resumed and given another `width`. `nil` if the
  /// group was created neither suspended nor with a width: the children then share the group's place in ``queue``.
  public let childQueue: OperationQueue?

  init(_ context: OperationContext, childQueue: OperationQueue?) {
    self.context = context
    self.childQueue = childQueue
  }

  /// A lease for operations that run in other queues on the group's behalf. With the lease, they can use the group's
  /// categories.
  public var lease: ExclusionLease? { context.lease }

  /// The queue in which the group executes.
  public var queue: OperationQueue { context.queue }

  /// The children that have been added so far, in the order in which they were added.
  public var children: [OperationReference] { state.withLock { $0.children } }

  /// Adds a child. The child uses the group's lease. It runs in ``childQueue`` if there is one; otherwise, it
  /// shares the group's place in the queue.
  ///
  /// - Parameters:
  ///   - child: The operation to add.
  ///   - conditions: Additional conditions, which follow the operation's own.
  ///   - dependencies: Operations that must end before the child starts. They must be in the queue in which the child
  ///     runs, but do not have to be children of this group.
  ///   - options: The child's priority, deadlines and other settings.
  @discardableResult
  public func add<Child: Operation>(
    _ child: Child, conditions: [any OperationCondition] = [],
    after dependencies: [any OperationDependency] = [], options: OperationOptions = OperationOptions()
  ) -> OperationHandle<Child.Output> {
    guard let isCancelled = beginAdding() else { return late(child) }
    let handle = context.addChild(
      child, to: childQueue, conditions: conditions, after: dependencies, options: options,
      isCancelled: isCancelled)
    if endAdding(handle.reference) { handle.cancel() }
    return handle
  }

  /// Adds a closure as a child.
  @discardableResult
  public func add<Output: Sendable>(
    _ name: String = "block", conditions: [any OperationCondition] = [],
    after dependencies: [any OperationDependency] = [], options: OperationOptions = OperationOptions(),
    _ body: @escaping @Sendable (OperationContext) async throws -> Output
  ) -> OperationHandle<Output> {
    add(BlockOperation(name, body), conditions: conditions, after: dependencies, options: options)
  }

  /// Records that a call to `add` has begun. Returns whether the group was cancelled, or `nil` if the group has ended.
  private func beginAdding() -> Bool? {
    state.withLock { state in
      guard !state.hasEnded else { return nil }
      state.adding += 1
      return state.isCancelled
    }
  }

  /// Registers the new child. Returns whether the child must be cancelled.
  private func endAdding(_ child: OperationReference) -> Bool {
    let (isCancelled, ending) = state.withLock { state in
      state.children.append(child)
      state.adding -= 1
      return (state.isCancelled, state.ending.take())
    }
    ending?.resume(returning: child)
    return isCancelled
  }

  private func late<Child: Operation>(_ child: Child) -> OperationHandle<Child.Output> {
    let error = GroupError.hasEnded(group: context.operation.name, child: child.name)
    let handle = queue.add(BlockOperation(child.name) { _ throws -> Child.Output in throw error })
    // A suspended queue might never run the operation, so the operation is made to fail immediately.
    handle.reference.fail(with: error)
    return handle
  }
}

extension OperationGroup {
  func cancel() {
    let children = state.withLock { state in
      state.isCancelled = true
      return state.children
    }
    for child in children { child.cancel() }
  }

  /// Waits until all children have ended, including those that are added in the meantime, and returns their
  /// outcomes. After that, no more children can be added.
  func end() async -> [DependencyOutcome] {
    var outcomes: [DependencyOutcome] = []
    while let child = await next(after: outcomes.count) {
      outcomes.append(DependencyOutcome(operation: child, outcome: await child.outcome))
    }
    return outcomes
  }

  /// Returns the child at the index `count`. If it is still being added, waits for it. If there is no such child, ends
  /// the group and returns `nil`.
  private func next(after count: Int) async -> OperationReference? {
    await withUnsafeContinuation { continuation in
      let (child, isWaiting) = state.withLock { state -> (OperationReference?, Bool) in
        if count < state.children.count { return (state.children[count], false) }
        state.hasEnded = state.adding == 0
        if !state.hasEnded { state.ending = continuation }
        return (nil, !state.hasEnded)
      }
      if !isWaiting { continuation.resume(returning: child) }
    }
  }
}
