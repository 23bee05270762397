/// Always satisfied; the operation holds a category while it executes.
///
/// `MutuallyExclusive<Photos>()` names the category by a type, `MutuallyExclusive("photos")` by a name.
public struct MutuallyExclusive<Kind>: OperationCondition {
  public let categories: [ExclusionCategory]
  public var isAlwaysSatisfied: Bool { true }

  /// The category of the type.
  public init() { categories = [ExclusionCategory(Kind.self)] }

  public var name: String { "MutuallyExclusive(\(categories.map(\.name).joined(separator: ", ")))" }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult { .satisfied }
}

extension MutuallyExclusive where Kind == Never {
  /// The category of a name.
  public init(_ name: String) { self.init(ExclusionCategory(name)) }

  /// One category, or several at once.
  public init(_ categories: ExclusionCategory...) { self.categories = categories }
}
