import Machine

/// A group that is executing, and its children.
///
/// The group may be passed to its children, so that they can add more children. A child added to a cancelled group is
/// cancelled and never runs; a child added to a group that has ended fails with `GroupError.hasEnded`.
public final class OperationGroup: Sendable {
  private struct State: Sendable {
    var children: [OperationReference] = []
    /// The number of calls to `add` in progress; the group does not end during one.
    var adding = 0
    var isCancelled = false
    var hasEnded = false
    /// The group's end, which waits for the next child.
    var ending: UnsafeContinuation<OperationReference?, Never>?
  }

  private let context: OperationContext
  private let state = Lock(State())

  /// The group's own queue for its children, whose `width` can be set and which can be suspended and resumed. `nil` for
  /// a group that was created with no width and not suspended; its children run in the group's own place.
  public let childQueue: OperationQueue?

  init(_ context: OperationContext, childQueue: OperationQueue?) {
    self.context = context
    self.childQueue = childQueue
  }

  /// Proof, for operations added to other queues, that they run on behalf of the group and may use its categories.
  public var lease: ExclusionLease? { context.lease }

  /// The queue in which the group executes.
  public var queue: OperationQueue { context.queue }

  /// The children so far, in the order in which they were added.
  public var children: [OperationReference] { state.withLock { $0.children } }

  /// Adds a child, which uses the group's lease and runs in the group's place in the queue or in ``childQueue``.
  ///
  /// - Parameter dependencies: Operations of the queue in which the child runs, whether children of this group or not.
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

  /// Notes that a call to `add` begins. Returns whether the group was cancelled; `nil` if it has ended.
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
    // In a suspended queue its turn may never come, so it fails here.
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

  /// Waits until all children have ended, including those added in the meantime; after that, none can be added. Returns
  /// their outcomes.
  func end() async -> [DependencyOutcome] {
    var outcomes: [DependencyOutcome] = []
    while let child = await next(after: outcomes.count) {
      outcomes.append(DependencyOutcome(operation: child, outcome: await child.outcome))
    }
    return outcomes
  }

  /// Returns the child at an index. If there is none and none is being added, the group ends and accepts no more.
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
