/// A condition that wraps another one but never prompts a person. It runs neither the wrapped condition's remedy nor
/// the remedies of that condition's members.
public struct SilentCondition: OperationCondition {
  private let condition: any OperationCondition

  public init(_ condition: any OperationCondition) { self.condition = condition }

  public var name: String { "Silent(\(condition.name))" }
  public var categories: [ExclusionCategory] { condition.categories }
  public var isAlwaysSatisfied: Bool { condition.isAlwaysSatisfied }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    let result = await condition.evaluate(context.forMember(nil))
    if case .failed(let error, _) = result { return .failed(error, curable: false) }
    return result
  }
}
