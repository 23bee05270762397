/// An operation that runs the remedies of a compound condition's members in order, and evaluates each member after its
/// remedy.
struct MembersRemedy: Operation {
  let members: ConditionMembers
  let remedies: [(any Operation)?]
  /// Whether it ends once a member is satisfied; otherwise it ends once a member remains unsatisfied.
  let untilFirstSatisfied: Bool

  var name: String { "Remedies of \(members.names)" }

  func execute(_ context: OperationContext) async throws -> MemberEndings {
    let look = ConditionContext(look: .first, operation: context.onBehalfOf, remedyEnding: nil)
    let results = await members.evaluate(look)
    var endings = MemberEndings(values: Array(repeating: nil, count: remedies.count))
    guard isWorthwhile(results) else { return endings }
    for (place, remedy) in remedies.enumerated() {
      guard let remedy, wants(results[place], of: members.conditions[place]) else { continue }
      let ending = await ending(of: remedy, context)
      endings.values[place] = ending
      try Task.checkCancellation()
      let after = ConditionContext(
        look: .afterRemedy, operation: context.onBehalfOf, remedyEnding: ending)
      let isSatisfied = await members.conditions[place].evaluate(after).isSatisfied
      if isSatisfied == untilFirstSatisfied { break }
    }
    return endings
  }

  private func ending(of remedy: any Operation, _ context: OperationContext) async -> OperationEnding {
    do {
      return .succeeded(try await context.runAny(remedy))
    } catch {
      return OperationEnding(thrown: error)
    }
  }

  /// Whether the remedies can satisfy the compound condition, so that no person is prompted in vain: if all members
  /// must hold, each one that does not needs a remedy.
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
