// Result injection: operations that are made from what another gave back.

extension OperationQueue {
  /// Adds an operation that is made from the output of another, once that is there.
  ///
  /// What is made runs as a child: its own conditions and categories count, looked at when it has been made.
  /// If the dependency failed, so does this, with `InjectionError.dependencyFailed`; if it was cancelled or skipped,
  /// so is this.
  @discardableResult
  public func add<Input: Sendable, Made: Operation>(
    _ name: String? = nil, injecting dependency: OperationHandle<Input>,
    conditions: [any OperationCondition] = [], after others: [any OperationDependency] = [],
    priority: OperationPriority = .normal, deadlines: Deadlines = .none,
    observers: [any OperationObserver] = [], make: @escaping @Sendable (Input) throws -> Made
  ) -> OperationHandle<Made.Output> {
    add(
      InjectedOperation(name: name, dependencies: [dependency]) { try make($0[0]) },
      conditions: conditions, after: [dependency] + others, priority: priority, deadlines: deadlines,
      observers: observers)
  }

  /// The same where the output may be missing: without it, this fails with `InjectionError.missingResult`.
  @discardableResult
  public func add<Input: Sendable, Made: Operation>(
    _ name: String? = nil, requiring dependency: OperationHandle<Input?>,
    conditions: [any OperationCondition] = [], after others: [any OperationDependency] = [],
    priority: OperationPriority = .normal, deadlines: Deadlines = .none,
    observers: [any OperationObserver] = [], make: @escaping @Sendable (Input) throws -> Made
  ) -> OperationHandle<Made.Output> {
    let missing = InjectionError.missingResult(dependency: dependency.name)
    return add(
      name, injecting: dependency, conditions: conditions, after: others, priority: priority,
      deadlines: deadlines, observers: observers
    ) { input in
      guard let input else { throw missing }
      return try make(input)
    }
  }

  /// Adds an operation that is made from the outputs of several, in the order in which they are given.
  @discardableResult
  public func add<Input: Sendable, Made: Operation>(
    _ name: String? = nil, injecting dependencies: [OperationHandle<Input>],
    conditions: [any OperationCondition] = [], after others: [any OperationDependency] = [],
    priority: OperationPriority = .normal, deadlines: Deadlines = .none,
    observers: [any OperationObserver] = [], make: @escaping @Sendable ([Input]) throws -> Made
  ) -> OperationHandle<Made.Output> {
    add(
      InjectedOperation(name: name, dependencies: dependencies, make: make),
      conditions: conditions, after: dependencies + others, priority: priority, deadlines: deadlines,
      observers: observers)
  }
}

extension OperationGroup {
  /// Adds a child that is made from the output of another operation, as a queue does.
  @discardableResult
  public func add<Input: Sendable, Made: Operation>(
    _ name: String? = nil, injecting dependency: OperationHandle<Input>,
    conditions: [any OperationCondition] = [], after others: [any OperationDependency] = [],
    priority: OperationPriority? = nil, deadlines: Deadlines = .none,
    observers: [any OperationObserver] = [], make: @escaping @Sendable (Input) throws -> Made
  ) -> OperationHandle<Made.Output> {
    add(
      InjectedOperation(name: name, dependencies: [dependency]) { try make($0[0]) },
      conditions: conditions, after: [dependency] + others, priority: priority, deadlines: deadlines,
      observers: observers)
  }
}
