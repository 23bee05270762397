/// A condition that is satisfied if all of its members are satisfied. Without members, it is satisfied. If some members
/// fail and others skip the operation, the operation fails.
public struct AllCondition: OperationCondition {
  private let members: ConditionMembers

  public init(_ conditions: [any OperationCondition]) { members = ConditionMembers(conditions: conditions) }

  public var name: String { "All(\(members.names))" }
  public var categories: [ExclusionCategory] { members.categories }
  public var remedyAlwaysRuns: Bool { members.remedyAlwaysRuns }

  public func makeRemedy() -> (any Operation)? { members.makeRemedy(untilFirstSatisfied: false) }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    let results = await members.evaluate(context)
    let isCurable = results.allSatisfy { $0.isSatisfied || $0.isCurable }
    return members.verdict(of: results).result(isCurable: isCurable)
  }
}

/// A condition that is satisfied if at least one of its members is satisfied. Without members, it fails. If
/// no member is satisfied, but some fail and others skip the operation, the operation fails.
public struct AnyCondition: OperationCondition {
  private let members: ConditionMembers

  public init(_ conditions: [any OperationCondition]) { members = ConditionMembers(conditions: conditions) }

  public var name: String { "Any(\(members.names))" }
  public var categories: [ExclusionCategory] { members.categories }
  public var remedyAlwaysRuns: Bool { members.remedyAlwaysRuns }

  public func makeRemedy() -> (any Operation)? { members.makeRemedy(untilFirstSatisfied: true) }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    let results = await members.evaluate(context)
    if results.isEmpty { return .failed(ConditionsFailed([]), curable: false) }
    if results.contains(where: \.isSatisfied) { return .satisfied }
    return members.verdict(of: results).result(isCurable: results.contains(where: \.isCurable))
  }
}

/// The members of a compound condition. Each member receives the outcome of its own remedy.
struct ConditionMembers: Sendable {
  let conditions: [any OperationCondition]

  var names: String { conditions.map(\.name).joined(separator: ", ") }
  var remedyAlwaysRuns: Bool { conditions.contains(where: \.remedyAlwaysRuns) }
  var categories: [ExclusionCategory] { conditions.flatMap(\.categories) }

  func evaluate(_ context: ConditionContext) async -> [ConditionResult] {
    let endings = context.remedyOutput as? [OperationEnding?]
    return await conditions.evaluate { context.forMember(endings?[$0] ?? nil) }
  }

  func verdict(of results: [ConditionResult]) -> ConditionVerdict {
    var verdict = ConditionVerdict()
    for (condition, result) in zip(conditions, results) { verdict.add(result, of: condition.name) }
    return verdict
  }

  /// Returns a remedy that runs the members' remedies; `nil` if no member has a remedy.
  func makeRemedy(untilFirstSatisfied: Bool) -> (any Operation)? {
    let remedies = conditions.map { $0.makeRemedy() }
    guard remedies.contains(where: { $0 != nil }) else { return nil }
    return MembersRemedy(members: self, remedies: remedies, untilFirstSatisfied: untilFirstSatisfied)
  }
}

/// An operation that runs the remedies of a compound condition's members in order, and evaluates each member after its
/// remedy. The output contains each remedy's outcome at the index of the remedy's member.
private struct MembersRemedy: Operation {
  let members: ConditionMembers
  let remedies: [(any Operation)?]
  /// Whether to stop once a remedy has satisfied its member. Otherwise, the operation stops once a remedy has
  /// failed to satisfy its member.
  let untilFirstSatisfied: Bool

  var name: String { "Remedies of \(members.names)" }

  func execute(_ context: OperationContext) async throws -> [OperationEnding?] {
    let look = ConditionContext(look: .first, operation: context.onBehalfOf)
    let results = await members.evaluate(look)
    var endings: [OperationEnding?] = Array(repeating: nil, count: remedies.count)
    guard isWorthwhile(results) else { return endings }
    for (place, remedy) in remedies.enumerated() {
      let condition = members.conditions[place]
      guard let remedy, results[place].wantsRemedy(of: condition) else { continue }
      if endings.contains(where: { $0 != nil }), await condition.hasComeTrue(for: context.onBehalfOf) {
        if untilFirstSatisfied { break }
        continue
      }
      let timely = remedy.timely(for: condition, canWait: false)
      let ending = await ending(of: timely, context)
      endings[place] = ending
      try Task.checkCancellation()
      let after = ConditionContext(look: .afterRemedy, operation: context.onBehalfOf, remedyEnding: ending)
      if await condition.evaluate(after).isSatisfied == untilFirstSatisfied { break }
    }
    return endings
  }

  private func ending(of remedy: any Operation, _ context: OperationContext) async -> OperationEnding {
    do {
      return .succeeded(try await context.run(remedy))
    } catch {
      return OperationEnding(.failure(error))
    }
  }

  /// Returns whether the remedies can satisfy the compound condition. Otherwise, they would prompt a person in vain. If
  /// all members must be satisfied, each unsatisfied member must be curable and have a remedy.
  private func isWorthwhile(_ results: [ConditionResult]) -> Bool {
    if untilFirstSatisfied { return true }
    return zip(results, remedies).allSatisfy { result, remedy in
      result.isSatisfied || (result.isCurable && remedy != nil)
    }
  }
}
