/// A condition that is satisfied if all of its members are, or if it has none. A failed member takes precedence over a
/// skipped one.
public struct AllCondition: OperationCondition {
  private let members: ConditionMembers

  public init(_ conditions: [any OperationCondition]) { members = ConditionMembers(conditions) }

  public var name: String { "All(\(members.names))" }
  public var categories: [ExclusionCategory] { members.categories }
  public var remedyAlwaysRuns: Bool { members.remedyAlwaysRuns }

  public func makeRemedy() -> (any Operation)? { members.makeRemedy(untilFirstSatisfied: false) }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    let results = await members.evaluate(context)
    var verdict = ConditionVerdict()
    for (member, result) in zip(members.conditions, results) {
      verdict.add(result, of: member.name, isCurable: result.isCurable)
    }
    return verdict.result
  }
}
