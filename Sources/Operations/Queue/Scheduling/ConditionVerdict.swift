/// The combined result of all conditions of an operation. If any condition failed, the operation fails. Otherwise, if
/// any condition returned `skipped`, the operation is skipped.
struct ConditionVerdict: Sendable {
  private var failures: [ConditionFailure] = []
  private var skipReason: String?

  mutating func add(_ result: ConditionResult, of name: @autoclosure () -> String) {
    switch result {
    case .satisfied: return
    case .failed(let error, _): failures.append(ConditionFailure(condition: name(), error: error))
    case .skipped(let reason): skipReason = skipReason ?? reason
    }
  }

  var isSatisfied: Bool { failures.isEmpty && skipReason == nil }

  /// The operation's outcome. It is meaningful only if at least one condition is not satisfied.
  var ending: OperationEnding {
    if !failures.isEmpty { return .failed(ConditionsFailed(failures)) }
    return skipReason.map { .skipped($0) } ?? .cancelled
  }

  /// Returns the verdict as the result of a compound condition.
  func result(isCurable: Bool) -> ConditionResult {
    if !failures.isEmpty { return .failed(ConditionsFailed(failures), curable: isCurable) }
    return skipReason.map { .skipped(reason: $0) } ?? .satisfied
  }
}
