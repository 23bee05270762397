/// Runs the remedies of a compound condition's members in order, each followed by a look at its member.
struct MembersRemedy: Operation {
  let members: ConditionMembers
  let remedies: [(any Operation)?]
  /// Whether one satisfied member is enough; otherwise one that stays unmet ends it.
  let untilFirstSatisfied: Bool

  var name: String { "Remedies of \(members.names)" }

  func execute(_ context: OperationContext) async throws -> MemberOutputs {
    let look = ConditionContext(look: .first, operation: context.onBehalfOf, remedyOutput: nil)
    let results = await members.evaluate(look)
    var outputs = MemberOutputs(values: Array(repeating: nil, count: remedies.count))
    guard isWorthwhile(results) else { return outputs }
    for (place, remedy) in remedies.enumerated() {
      guard let remedy, wants(results[place], of: members.conditions[place]) else { continue }
      outputs.values[place] = try? await context.runAny(remedy)
      try Task.checkCancellation()
      let after = ConditionContext(
        look: .afterRemedy, operation: context.onBehalfOf, remedyOutput: outputs.values[place])
      let isSatisfied = await members.conditions[place].evaluate(after).isSatisfied
      if isSatisfied == untilFirstSatisfied { break }
    }
    return outputs
  }

  /// Nobody is asked for what cannot come about: where all members must hold, each that does not needs a remedy.
  private func isWorthwhile(_ results: [ConditionResult]) -> Bool {
    if untilFirstSatisfied { return true }
    return zip(results, remedies).allSatisfy { result, remedy in
      result.isSatisfied || (result.isCurable && remedy != nil)
    }
  }

  private func wants(_ result: ConditionResult, of condition: any OperationCondition) -> Bool {
    result.isCurable || (result.isSatisfied && condition.remedyAlwaysRuns)
  }
}
