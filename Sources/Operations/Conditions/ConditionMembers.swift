/// The conditions inside a compound one, and the way to tell each member how its own remedy ended.
struct ConditionMembers: Sendable {
  let conditions: [any OperationCondition]

  init(_ conditions: [any OperationCondition]) { self.conditions = conditions }

  var names: String { conditions.map(\.name).joined(separator: ", ") }
  var remedyAlwaysRuns: Bool { conditions.contains(where: \.remedyAlwaysRuns) }

  var categories: [ExclusionCategory] { conditions.flatMap(\.categories) }

  /// Looks at all members at once, each knowing how its own remedy ended.
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

  /// A remedy that runs those of the members; `nil` if none has one.
  func makeRemedy(untilFirstSatisfied: Bool) -> (any Operation)? {
    let remedies = conditions.map { $0.makeRemedy() }
    guard remedies.contains(where: { $0 != nil }) else { return nil }
    return MembersRemedy(members: self, remedies: remedies, untilFirstSatisfied: untilFirstSatisfied)
  }
}

/// How the remedies of a compound condition's members ended, by the member's place.
struct MemberEndings: Sendable {
  var values: [OperationEnding?]
}

extension ConditionResult {
  var isCurable: Bool { if case .failed(_, curable: true) = self { true } else { false } }
  var isSatisfied: Bool { if case .satisfied = self { true } else { false } }
}
