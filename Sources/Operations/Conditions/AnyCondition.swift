/// A condition that is satisfied if at least one of its members is; without members it fails. If no member is
/// satisfied, a failed one takes precedence over a skipped one.
public struct AnyCondition: OperationCondition {
  private let members: ConditionMembers

  public init(_ conditions: [any OperationCondition]) { members = ConditionMembers(conditions) }

  public var name: String { "Any(\(members.names))" }
  public var categories: [ExclusionCategory] { members.categories }
  public var remedyAlwaysRuns: Bool { members.remedyAlwaysRuns }

  public func makeRemedy() -> (any Operation)? { members.makeRemedy(untilFirstSatisfied: true) }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    let results = await members.evaluate(context)
    var failures: [ConditionFailure] = []
    var skipReason: String?
    for (member, result) in zip(members.conditions, results) {
      switch result {
      case .satisfied: return .satisfied
      case .failed(let error, _): failures.append(ConditionFailure(condition: member.name, error: error))
      case .skipped(let reason): skipReason = skipReason ?? reason
      }
    }
    if failures.isEmpty, let skipReason { return .skipped(reason: skipReason) }
    return .failed(ConditionsFailed(failures), curable: results.contains(where: \.isCurable))
  }
}
