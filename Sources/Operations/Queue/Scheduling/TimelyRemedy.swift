/// A remedy that can have to wait for its turn. When its turn comes, its condition is evaluated once more; if the condition
/// has come true meanwhile, the remedy does not run.
struct TimelyRemedy<Work: Operation>: Operation {
  let work: Work
  let condition: any OperationCondition
  let conditions: [any OperationCondition]

  var name: String { work.name }
  var observers: [any OperationObserver] { work.observers }

  func execute(_ context: OperationContext) async throws -> Work.Output {
    if await condition.hasComeTrue(for: context.onBehalfOf) {
      throw OperationSkipped(reason: "\(condition.name) is satisfied")
    }
    return try await work.execute(context)
  }
}

extension Operation {
  /// Returns this remedy in a form that looks again when its turn comes. If the remedy never waits, or is to run in any
  /// case, returns the remedy itself.
  func timely(for condition: any OperationCondition, canWait: Bool) -> any Operation {
    let conditions = conditions
    guard canWait || !conditions.isEmpty, !condition.remedyAlwaysRuns else { return self }
    return TimelyRemedy(work: self, condition: condition, conditions: conditions)
  }
}

extension OperationCondition {
  /// Returns whether the condition holds by now, so that its remedy need not run any more.
  func hasComeTrue(for operation: OperationReference) async -> Bool {
    guard !remedyAlwaysRuns else { return false }
    let context = ConditionContext(look: .beforeRemedy, operation: operation, remedyEnding: nil)
    return await evaluate(context).isSatisfied
  }
}

extension OperationContext {
  /// Returns whether there is still a need for this operation. A remedy is not needed once its condition holds. A remedy that
  /// waits in a line of its own calls this method when its turn has come.
  public func isStillNeeded() async -> Bool {
    guard let beneficiary = record.details?.beneficiary, let remedy = beneficiary.record.details?.remedy
    else { return true }
    return await !remedy.condition.hasComeTrue(for: beneficiary)
  }
}
