/// A condition that is always satisfied, and makes the operation hold one or more categories while it executes.
///
/// `MutuallyExclusive<Photos>()` identifies the category by a type, and `MutuallyExclusive("photos")` by a name.
public struct MutuallyExclusive<Kind>: OperationCondition {
  public let categories: [ExclusionCategory]
  public var isAlwaysSatisfied: Bool { true }

  /// Creates a condition with the category that is identified by the type `Kind`.
  public init() { categories = [ExclusionCategory(Kind.self)] }

  public var name: String { "MutuallyExclusive(\(categories.map(\.name).joined(separator: ", ")))" }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult { .satisfied }
}

extension MutuallyExclusive where Kind == Never {
  /// Creates a condition with the category that has the given name.
  public init(_ name: String) { self.init(ExclusionCategory(name)) }

  /// Creates a condition with one or more categories, all of which the operation holds at the same time.
  public init(_ categories: ExclusionCategory...) { self.categories = categories }
}
