/// Another operation behind a gate: if the gate is closed when its turn comes, it is skipped.
///
/// A condition is looked at up to three times; the gate is asked once, as the last thing before the work. The
/// wrapped operation's conditions are the gated one's.
public struct GatedOperation<Wrapped: Operation>: Operation {
  public let name: String
  public let conditions: [any OperationCondition]
  public let observers: [any OperationObserver]
  public var dependencies: [any OperationDependency] { operation.dependencies }
  private let operation: Wrapped
  private let isOpen: @Sendable () async throws -> Bool

  /// - Parameter isOpen: Whether the operation shall run. What it throws fails the operation.
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
