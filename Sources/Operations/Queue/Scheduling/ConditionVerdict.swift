/// The combined result of all conditions of an operation: failed beats skipped beats satisfied.
struct ConditionVerdict: Sendable {
  private var failures: [ConditionFailure] = []
  private var skipReason: String?
  private(set) var isCurable = true

  mutating func add(_ result: ConditionResult, of name: @autoclosure () -> String, isCurable curable: Bool) {
    switch result {
    case .satisfied: return
    case .failed(let error, _):
      failures.append(ConditionFailure(condition: name(), error: error))
      isCurable = isCurable && curable
    case .skipped(let reason):
      skipReason = skipReason ?? reason
      isCurable = false
    }
  }

  var isSatisfied: Bool { failures.isEmpty && skipReason == nil }

  /// The operation's ending, unless all conditions are satisfied.
  var ending: OperationEnding {
    if !failures.isEmpty { return .failed(ConditionsFailed(failures)) }
    return skipReason.map { .skipped($0) } ?? .cancelled
  }

  /// The same verdict as the result of a condition that consists of others.
  var result: ConditionResult {
    if !failures.isEmpty { return .failed(ConditionsFailed(failures), curable: isCurable) }
    return skipReason.map { .skipped(reason: $0) } ?? .satisfied
  }
}
