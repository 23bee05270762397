/// A condition that is never satisfied.
public struct FalseCondition: OperationCondition {
  /// The error with which the condition fails.
  public struct NeverHolds: Error, Equatable, CustomStringConvertible {
    public init() {}
    public var description: String { "it never holds" }
  }

  public init() {}

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    .failed(NeverHolds(), curable: false)
  }
}
