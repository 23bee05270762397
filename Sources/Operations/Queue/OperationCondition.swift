/// A condition that must hold before an operation executes.
///
/// A condition is evaluated before its remedy runs, again when the remedy's turn has come if the remedy had to wait for it,
/// after the remedy has run, and after all waiting. Evaluating a condition must not consume anything and must not prompt a
/// person.
public protocol OperationCondition: Sendable {
  /// The name used in errors and explanations. The default is the type's name.
  var name: String { get }

  /// The categories that the operation must hold while it executes.
  var categories: [ExclusionCategory] { get }

  /// Returns a new operation that can make the condition hold; `nil` if no operation can or should do that.
  ///
  /// This method is called at most once for each operation that the condition is attached to. Later evaluations receive
  /// the remedy's output in their context, so the condition does not have to store the output.
  func makeRemedy() -> (any Operation)?

  /// Whether the remedy runs even if the condition already holds at the first evaluation.
  var remedyAlwaysRuns: Bool { get }

  /// Whether the condition always holds, for instance because it only adds categories. Such a condition is
  /// not evaluated.
  var isAlwaysSatisfied: Bool { get }

  /// Checks whether the condition holds now.
  func evaluate(_ context: ConditionContext) async -> ConditionResult
}

extension OperationCondition {
  // `String(describing:)` returns the same name but takes a microsecond. Everything else in a short operation takes
  // less time than that.
  public var name: String { _typeName(Self.self, qualified: false) }
  public var categories: [ExclusionCategory] { [] }
  public func makeRemedy() -> (any Operation)? { nil }
  public var remedyAlwaysRuns: Bool { false }
  public var isAlwaysSatisfied: Bool { false }
}

/// The result of evaluating a condition.
public enum ConditionResult: Sendable {
  case satisfied
  /// The condition does not hold. If the failure is curable, the condition's remedy might still help. Otherwise, the
  /// operation fails immediately, and no further remedy runs.
  case failed(any Error, curable: Bool)
  /// The condition decided that the operation should not run. This is not an error.
  case skipped(reason: String)
}

extension ConditionResult {
  var isCurable: Bool { if case .failed(_, curable: true) = self { true } else { false } }
  var isSatisfied: Bool { if case .satisfied = self { true } else { false } }

  func wantsRemedy(of condition: any OperationCondition) -> Bool {
    isCurable || (isSatisfied && condition.remedyAlwaysRuns)
  }
}

extension [any OperationCondition] {
  /// Evaluates all conditions concurrently, except those that always hold. Returns one result for each condition.
  ///
  /// - Parameter context: A closure that returns the context for the condition at a given index.
  func evaluate(in context: @escaping @Sendable (Int) -> ConditionContext) async -> [ConditionResult] {
    await withTaskGroup(of: (Int, ConditionResult).self) { group in
      for (place, condition) in enumerated() where !condition.isAlwaysSatisfied {
        group.addTask { (place, await condition.evaluate(context(place))) }
      }
      return await group.reduce(into: [ConditionResult](repeating: .satisfied, count: count)) {
        results, found in
        results[found.0] = found.1
      }
    }
  }
}
