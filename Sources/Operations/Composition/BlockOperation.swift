/// An operation made of a closure.
public struct BlockOperation<Output: Sendable>: Operation {
  public let name: String
  public let conditions: [any OperationCondition]
  private let body: @Sendable (OperationContext) async throws -> Output

  public init(
    _ name: String = "block", conditions: [any OperationCondition] = [],
    _ body: @escaping @Sendable (OperationContext) async throws -> Output
  ) {
    self.name = name
    self.conditions = conditions
    self.body = body
  }

  public func execute(_ context: OperationContext) async throws -> Output { try await body(context) }
}
