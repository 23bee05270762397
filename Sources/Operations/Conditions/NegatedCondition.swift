/// A condition that is satisfied if another condition fails, and fails if the other condition is satisfied. If the
/// other condition skips the operation, this one also skips it. A negated condition has no remedy.
public struct NegatedCondition: OperationCondition {
  /// The error of a negated condition when the other condition is satisfied.
  public struct IsSatisfied: Error, Equatable, CustomStringConvertible {
    /// The other condition's name.
    public let condition: String
    public init(condition: String) { self.condition = condition }
    public var description: String { "\(condition) is satisfied" }
  }

  private let condition: any OperationCondition

  public init(_ condition: any OperationCondition) { self.condition = condition }

  public var name: String { "Not(\(condition.name))" }
  public var categories: [ExclusionCategory] { condition.categories }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    switch await condition.evaluate(context.forMember(nil)) {
    case .satisfied: .failed(IsSatisfied(condition: condition.name), curable: false)
    case .failed: .satisfied
    case .skipped(let reason): .skipped(reason: reason)
    }
  }
}
