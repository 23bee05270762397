/// A condition that must hold before an operation executes.
///
/// A condition is evaluated up to three times: first without its remedy, again after the remedy has run, and finally
/// after all waiting. Evaluating it must not consume anything and must not prompt a person.
public protocol OperationCondition: Sendable {
  /// The name used in errors and explanations. The default is the type's name.
  var name: String { get }

  /// The categories that the operation must hold while it executes.
  var categories: [ExclusionCategory] { get }

  /// Makes the operation that can satisfy the condition; `nil` if there is no such operation, or if none should run.
  ///
  /// Called at most once for each operation that the condition is attached to. The context of the evaluations that
  /// follow contains the remedy's output, so a condition needs no state of its own.
  func makeRemedy() -> (any Operation)?

  /// Whether the remedy runs even if the first evaluation finds the condition satisfied.
  var remedyAlwaysRuns: Bool { get }

  /// Whether it is known to hold without being evaluated, for instance because it only adds categories.
  var isAlwaysSatisfied: Bool { get }

  /// Evaluates whether the condition holds now.
  func evaluate(_ context: ConditionContext) async -> ConditionResult
}

extension OperationCondition {
  // `String(describing:)` returns the same but takes a microsecond, more than everything else in a short operation.
  public var name: String { _typeName(Self.self, qualified: false) }
  public var categories: [ExclusionCategory] { [] }
  public func makeRemedy() -> (any Operation)? { nil }
  public var remedyAlwaysRuns: Bool { false }
  public var isAlwaysSatisfied: Bool { false }
}

/// The result of evaluating a condition.
public enum ConditionResult: Sendable {
  case satisfied
  /// The condition does not hold. If it is curable, its remedy may still satisfy it; if not, the operation fails at
  /// once, before any person is prompted for it.
  case failed(any Error, curable: Bool)
  /// The operation should not run, which is not an error.
  case skipped(reason: String)
}

extension ConditionResult {
  var isCurable: Bool { if case .failed(_, curable: true) = self { true } else { false } }
  var isSatisfied: Bool { if case .satisfied = self { true } else { false } }
}
