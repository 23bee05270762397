/// Something that must hold before an operation executes.
///
/// A condition is looked at up to three times: first without its remedy, again after the remedy ran, and last
/// after all waiting. Looking must use nothing up and must not prompt.
public protocol OperationCondition: Sendable {
  /// What errors and explanations call it. The type's name unless given.
  var name: String { get }

  /// Categories that the operation must hold while it executes.
  var categories: [ExclusionCategory] { get }

  /// Makes the operation that can bring the condition about; `nil` where nothing can, or nothing should.
  ///
  /// Called at most once for each operation that the condition is attached to. What the remedy gives back comes
  /// with the context of the looks that follow, so a condition needs no state of its own.
  func makeRemedy() -> (any Operation)?

  /// Whether the remedy runs even when the first look finds the condition satisfied.
  var remedyAlwaysRuns: Bool { get }

  /// Whether it is known to hold without a look, as where it only brings categories.
  var isAlwaysSatisfied: Bool { get }

  /// Looks whether the condition holds now.
  func evaluate(_ context: ConditionContext) async -> ConditionResult
}

extension OperationCondition {
  // `String(describing:)` gives the same and takes a microsecond, more than all else that a short operation needs.
  public var name: String { _typeName(Self.self, qualified: false) }
  public var categories: [ExclusionCategory] { [] }
  public func makeRemedy() -> (any Operation)? { nil }
  public var remedyAlwaysRuns: Bool { false }
  public var isAlwaysSatisfied: Bool { false }
}

/// What a look at a condition found.
public enum ConditionResult: Sendable {
  case satisfied
  /// The condition does not hold. If it is curable, its remedy may still bring it about; if not, the operation
  /// fails at once, before anybody is prompted for it.
  case failed(any Error, curable: Bool)
  /// The operation shall not run, and that is no error.
  case skipped(reason: String)
}
