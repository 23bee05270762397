/// A condition that is satisfied if all of the operation's dependencies succeeded. It can be configured to accept other
/// outcomes as well.
///
/// `NoFailedDependenciesCondition(counting: .cancelled)` corresponds to `NoCancelledDependencies` in PSOperations.
public struct NoFailedDependenciesCondition: OperationCondition {
  /// The error of this condition. It lists the dependencies that made the condition fail.
  public struct DependenciesFailed: Error, CustomStringConvertible {
    /// The names and outcomes of the dependencies that made the condition fail, in the order in which they ended.
    public let dependencies: [(name: String, outcome: OperationOutcome)]

    public var description: String {
      dependencies.map { "“\($0.name)” \($0.outcome)" }.joined(separator: "; ")
    }
  }

  /// A set of ways in which a dependency can end without success.
  public struct Endings: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let failed = Endings(rawValue: 1)
    public static let cancelled = Endings(rawValue: 2)
    public static let skipped = Endings(rawValue: 4)
    public static let all: Endings = [.failed, .cancelled, .skipped]
  }

  private let counted: Endings
  private let ignoringCancellations: Bool

  /// - Parameters:
  ///   - counted: The outcomes that make this condition fail. A dependency with any other outcome is treated
  ///     as if it had succeeded.
  ///   - ignoringCancellations: Whether the operation is skipped, instead of failing, if each dependency with a counted
  ///     outcome was cancelled or skipped.
  public init(counting counted: Endings = .all, ignoringCancellations: Bool = false) {
    self.counted = counted
    self.ignoringCancellations = ignoringCancellations
  }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    let unhappy = context.dependencies.filter { !counted.isDisjoint(with: $0.ending) }
    guard let first = unhappy.first else { return .satisfied }
    if ignoringCancellations && !unhappy.contains(where: { $0.ending == .failed }) {
      return .skipped(reason: "“\(first.operation.name)” \(first.outcome)")
    }
    return .failed(
      DependenciesFailed(dependencies: unhappy.map { ($0.operation.name, $0.outcome) }), curable: false)
  }
}

extension DependencyOutcome {
  fileprivate var ending: NoFailedDependenciesCondition.Endings {
    switch outcome {
    case .succeeded: []
    case .failed: .failed
    case .cancelled: .cancelled
    case .skipped: .skipped
    }
  }
}
