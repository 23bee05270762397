/// An operation that wraps another operation or a closure, and adds conditions and observers.
///
/// With the module `OperationsFoundation`, it can also wrap Foundation's operations.
public struct ComposedOperation<Wrapped: Operation>: Operation {
  public let name: String
  /// The wrapped operation's conditions, followed by those passed to the initializer.
  public let conditions: [any OperationCondition]
  /// The wrapped operation's observers, followed by those passed to the initializer.
  public let observers: [any OperationObserver]
  public var dependencies: [any OperationDependency] { operation.dependencies }
  private let operation: Wrapped

  /// - Parameters:
  ///   - operation: The operation to wrap.
  ///   - name: The name; by default, the wrapped operation's name.
  ///   - conditions: Additional conditions, which follow the wrapped operation's own.
  ///   - observers: Additional observers, which follow the wrapped operation's own.
  public init(
    _ operation: Wrapped, name: String? = nil, conditions: [any OperationCondition] = [],
    observers: [any OperationObserver] = []
  ) {
    self.name = name ?? operation.name
    self.conditions = operation.conditions + conditions
    self.observers = operation.observers + observers
    self.operation = operation
  }

  public func execute(_ context: OperationContext) async throws -> Wrapped.Output {
    try await operation.execute(context)
  }
}

extension ComposedOperation {
  /// Wraps a closure.
  public init<Output: Sendable>(
    _ name: String = "block", conditions: [any OperationCondition] = [],
    observers: [any OperationObserver] = [],
    _ body: @escaping @Sendable (OperationContext) async throws -> Output
  ) where Wrapped == BlockOperation<Output> {
    self.init(BlockOperation(name, body), conditions: conditions, observers: observers)
  }
}
