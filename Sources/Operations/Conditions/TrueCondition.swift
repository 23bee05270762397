/// A condition that is always satisfied.
public struct TrueCondition: OperationCondition {
  public init() {}

  public var isAlwaysSatisfied: Bool { true }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult { .satisfied }
}
