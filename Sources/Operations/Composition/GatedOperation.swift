/// An operation that runs another one only if a gate is open. If the gate is closed, the operation is skipped.
///
/// The gate is checked only once, right before the work. A condition, in contrast, is evaluated up to three
/// times. The wrapped operation's conditions still apply.
public struct GatedOperation<Wrapped: Operation>: Operation {
  public let name: String
  public let conditions: [any OperationCondition]
  public let observers: [any OperationObserver]
  public var dependencies: [any OperationDependency] { operation.dependencies }
  private let operation: Wrapped
  private let isOpen: @Sendable () async throws -> Bool

  /// - Parameters:
  ///   - operation: The operation that may run.
  ///   - isOpen: A closure that returns whether the operation should run. If the closure throws, the operation fails with
  ///     that error.
  public init(_ operation: Wrapped, isOpen: @escaping @Sendable () async throws -> Bool) {
    name = operation.name
    conditions = operation.conditions
    observers = operation.observers
    self.operation = operation
    self.isOpen = isOpen
  }

  public func execute(_ context: OperationContext) async throws -> Wrapped.Output {
    guard try await isOpen() else { throw OperationSkipped(reason: "its gate is closed") }
    return try await operation.execute(context)
  }
}
