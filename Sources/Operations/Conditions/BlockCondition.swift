/// A condition that is satisfied if a closure returns true, and fails if the closure returns false or throws.
public struct BlockCondition: OperationCondition {
  /// The error of a condition whose closure returned false.
  public struct IsFalse: Error, Equatable, CustomStringConvertible {
    public init() {}
    public var description: String { "the block returned false" }
  }

  public let name: String
  private let block: @Sendable () async throws -> Bool

  public init(_ name: String = "BlockCondition", _ block: @escaping @Sendable () async throws -> Bool) {
    self.name = name
    self.block = block
  }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    do {
      return try await block() ? .satisfied : .failed(IsFalse(), curable: false)
    } catch {
      return .failed(error, curable: false)
    }
  }
}
