/// An operation that runs other operations as its children, and ends when all of them have ended.
///
/// ```swift
/// let thumbnails = queue.add(
///   GroupOperation("thumbnails") { group in
///     let pictures = group.add("find") { _ in ["sea.jpg", "sand.jpg"] }
///     for picture in try await pictures.value {
///       group.add("shrink \(picture)") { _ in print(picture) }
///     }
///     return try await pictures.value.count
///   })
/// ```
///
/// The group's conditions must be satisfied before the body adds any child. The children are allowed to use
/// the categories that the group holds. If a child fails, the other children continue. After all children
/// have ended, the group fails with `GroupFailed`, which contains all errors. Cancelled or skipped children
/// are not treated as failures. If the body throws, the children are cancelled. Cancelling the group cancels
/// its children, and the group ends after they have ended.
///
/// However many children there are, they share the group's place in the queue. A group that is created suspended or
/// with a width is an exception: its children run in the group's own queue, ``OperationGroup/childQueue``, which can be
/// suspended and resumed.
public struct GroupOperation<Output: Sendable>: Operation {
  public let name: String
  public let conditions: [any OperationCondition]
  private let width: Int?
  private let isSuspended: Bool
  private let body: @Sendable (OperationGroup) async throws -> Output

  /// - Parameters:
  ///   - name: The name of the group.
  ///   - width: The maximum number of children that execute at the same time. There is no limit by default.
  ///   - isSuspended: Whether children wait until ``OperationGroup/childQueue`` is resumed.
  ///   - conditions: The conditions of the group.
  ///   - body: A closure that adds the children and can wait for them. Its result is the group's output. A closure that
  ///     is a single expression returns that expression's value: with `{ group in group.add(child) }`, the group's
  ///     output is the child's handle. To return the child's output, write `try await group.add(child).value`. To
  ///     return no output, write `_ = group.add(child)`.
  public init(
    _ name: String = "group", width: Int? = nil, isSuspended: Bool = false,
    conditions: [any OperationCondition] = [],
    _ body: @escaping @Sendable (OperationGroup) async throws -> Output
  ) {
    self.name = name
    self.width = width
    self.isSuspended = isSuspended
    self.conditions = conditions
    self.body = body
  }

  public func execute(_ context: OperationContext) async throws -> Output {
    let group = OperationGroup(context, childQueue: childQueue(in: context.queue))
    return try await withTaskCancellationHandler {
      try await run(group)
    } onCancel: {
      group.cancel()
    }
  }

  private func childQueue(in queue: OperationQueue) -> OperationQueue? {
    guard width != nil || isSuspended else { return nil }
    return OperationQueue(
      name: name, width: width, isSuspended: isSuspended, exclusion: queue.exclusion, clock: queue.clock,
      executor: queue.executor, observers: queue.observers)
  }

  private func run(_ group: OperationGroup) async throws -> Output {
    let result = await result(group)
    if case .failure = result { group.cancel() }
    let outcomes = await group.end()
    let failed = outcomes.compactMap { outcome in
      outcome.outcome.error.map { GroupFailed.Child(operation: outcome.operation, error: $0) }
    }
    switch result {
    case .success(let output):
      guard failed.isEmpty else { throw GroupFailed(children: failed, bodyError: nil) }
      if Task.isCancelled && outcomes.contains(where: \.outcome.isCancelled) { throw CancellationError() }
      return output
    case .failure(let error):
      let isOwn = !(error is CancellationError || error is OperationSkipped)
      guard isOwn || !failed.isEmpty else { throw error }
      throw GroupFailed(children: failed, bodyError: isOwn ? error : nil)
    }
  }

  private func result(_ group: OperationGroup) async -> Result<Output, any Error> {
    do {
      return .success(try await body(group))
    } catch {
      return .failure(error)
    }
  }
}

extension GroupOperation where Output == Void {
  /// Creates a group of operations that do not wait for each other.
  public init(
    _ name: String = "group", width: Int? = nil, conditions: [any OperationCondition] = [],
    _ children: [any Operation]
  ) {
    self.init(name, width: width, conditions: conditions) { group in
      for child in children { group.addAny(child) }
    }
  }
}

extension OperationGroup {
  fileprivate func addAny(_ child: any Operation) {
    func open<Child: Operation>(_ child: Child) { add(child) }
    open(child)
  }
}
