import Machine

/// The children of a group while it executes.
///
/// It may be given to the children, so that they can add more of them. What is added to a group that was cancelled
/// is cancelled and never runs; what is added to a group that has ended fails with `GroupError.hasEnded`.
public final class OperationGroup: Sendable {
  fileprivate struct State: Sendable {
    var children: [OperationReference] = []
    /// How many calls of `add` are under way; the group does not end during one.
    var adding = 0
    var isCancelled = false
    var hasEnded = false
    var ending: CheckedContinuation<Void, Never>?
  }

  private let context: OperationContext
  private let state = Lock(State())

  /// The queue of the group's own that its children run in: set its `width`, suspend and resume it. `nil` for a group
  /// that was made with neither a width nor a suspension; its children run in the group's own place.
  public let childQueue: OperationQueue?

  init(_ context: OperationContext, childQueue: OperationQueue?) {
    self.context = context
    self.childQueue = childQueue
  }

  /// Proof, for what is added to other queues, that it is done on behalf of the group and may use its categories.
  public var lease: ExclusionLease? { context.lease }

  /// The queue that the group executes in.
  public var queue: OperationQueue { context.queue }

  /// The children so far, in the order of adding.
  public var children: [OperationReference] { state.withLock { $0.children } }

  /// Adds a child. It uses the group's lease, and runs in the group's place in the queue or in ``childQueue``.
  ///
  /// - Parameter dependencies: Operations of the queue that the child runs in, children of this group or not.
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

  /// Whether the group was cancelled; `nil` if it has ended.
  private func beginAdding() -> Bool? {
    state.withLock { state in
      guard !state.hasEnded else { return nil }
      state.adding += 1
      return state.isCancelled
    }
  }

  /// True if the child has to be cancelled.
  private func endAdding(_ child: OperationReference) -> Bool {
    let (isCancelled, ending) = state.withLock { state in
      state.children.append(child)
      state.adding -= 1
      return (state.isCancelled, state.ending.take())
    }
    ending?.resume()
    return isCancelled
  }

  private func late<Child: Operation>(_ child: Child) -> OperationHandle<Child.Output> {
    let error = GroupError.hasEnded(group: context.operation.name, child: child.name)
    let handle = queue.add(BlockOperation(child.name) { _ throws -> Child.Output in throw error })
    // Its turn may never come: the queue may be suspended.
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

  /// Waits until all children have ended, those too that are added meanwhile; then the group takes no more.
  func end() async -> [DependencyOutcome] {
    var outcomes: [DependencyOutcome] = []
    while let child = await next(after: outcomes.count) {
      outcomes.append(DependencyOutcome(operation: child, outcome: await child.outcome))
    }
    return outcomes
  }

  private func next(after count: Int) async -> OperationReference? {
    while true {
      switch state.withLock({ $0.next(after: count) }) {
      case .child(let child): return child
      case .none: return nil
      case .adding: await untilAdded(after: count)
      }
    }
  }

  private func untilAdded(after count: Int) async {
    await withCheckedContinuation { continuation in
      let isAdded = state.withLock { state in
        let isAdded = state.children.count > count
        if !isAdded { state.ending = continuation }
        return isAdded
      }
      if isAdded { continuation.resume() }
    }
  }
}

extension OperationGroup.State {
  fileprivate enum Next: Sendable { case child(OperationReference), adding, none }

  /// The child in that place; without one the group takes no more, unless one is just being added.
  fileprivate mutating func next(after count: Int) -> Next {
    if count < children.count { return .child(children[count]) }
    if adding > 0 { return .adding }
    hasEnded = true
    return .none
  }
}
