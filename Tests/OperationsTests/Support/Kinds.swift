import Machine
import Operations

struct Failure: Error, Equatable {
  let name: String
  init(_ name: String = "failure") { self.name = name }
}

/// A condition with scripted results, one for each look; the last one repeats forever.
final class Scripted: OperationCondition {
  let name: String
  let categories: [ExclusionCategory]
  let remedyAlwaysRuns: Bool
  private let remedy: (@Sendable () -> (any Operation)?)?
  private let results: Lock<[ConditionResult]>
  private let seen = Lock<[ConditionContext]>([])

  init(
    _ name: String = "scripted", _ results: [ConditionResult], categories: [ExclusionCategory] = [],
    always: Bool = false, remedy: (@Sendable () -> (any Operation)?)? = nil
  ) {
    self.name = name
    self.categories = categories
    self.remedy = remedy
    remedyAlwaysRuns = always
    self.results = Lock(results)
  }

  var contexts: [ConditionContext] { seen.withLock { $0 } }
  var looks: [ConditionContext.Look] { contexts.map(\.look) }

  func makeRemedy() -> (any Operation)? { remedy?() }

  func evaluate(_ context: ConditionContext) async -> ConditionResult {
    seen.withLock { $0.append(context) }
    return results.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
  }
}

extension ConditionResult {
  static func failing(_ name: String, curable: Bool = false) -> Self {
    .failed(Failure(name), curable: curable)
  }
}

extension OperationHandle {
  /// The names of the failures that the operation ended with.
  var failures: [String] {
    get async {
      guard case .failed(let error) = await outcome, let failed = error as? ConditionsFailed else {
        return []
      }
      return failed.failures.map(\.condition)
    }
  }
}

extension OperationOutcome {
  var word: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .skipped: "skipped"
    }
  }
}
