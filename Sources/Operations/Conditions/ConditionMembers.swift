/// The conditions inside a compound one. Each member learns how its own remedy ended.
struct ConditionMembers: Sendable {
  let conditions: [any OperationCondition]

  init(_ conditions: [any OperationCondition]) { self.conditions = conditions }

  var names: String { conditions.map(\.name).joined(separator: ", ") }
  var remedyAlwaysRuns: Bool { conditions.contains(where: \.remedyAlwaysRuns) }

  var categories: [ExclusionCategory] { conditions.flatMap(\.categories) }

  /// Evaluates all members concurrently, and passes each one the ending of its own remedy.
  func evaluate(_ context: ConditionContext) async -> [ConditionResult] {
    let endings = (context.remedyOutput as? MemberEndings)?.values
    return await withTaskGroup(of: (Int, ConditionResult).self) { group in
      for (place, condition) in conditions.enumerated() {
        group.addTask {
          (place, await condition.evaluate(context.forMember(endings?[place] ?? nil)))
        }
      }
      return await group.reduce(into: Array(repeating: .satisfied, count: conditions.count)) {
        results, found in
        results[found.0] = found.1
      }
    }
  }

  /// Makes a remedy that runs the members' remedies; `nil` if no member has one.
  func makeRemedy(untilFirstSatisfied: Bool) -> (any Operation)? {
    let remedies = conditions.map { $0.makeRemedy() }
    guard remedies.contains(where: { $0 != nil }) else { return nil }
    return MembersRemedy(members: self, remedies: remedies, untilFirstSatisfied: untilFirstSatisfied)
  }
}

/// The endings of the remedies of a compound condition's members, by the member's index.
struct MemberEndings: Sendable {
  var values: [OperationEnding?]
}
