/// The effect that an import would have.
package struct ImportPlan: Hashable, Sendable {
  /// New decisions: the store does not contain a decision about the same program and atom yet.
  package var added: [Decision] = []
  /// Stored decisions that differ from an imported one, each with the decision that would replace it.
  package var replaced: [Replacement] = []
  /// Decisions that are already in the store.
  package var unchanged: [Decision] = []
  /// Decisions that are not in force: their deadline has passed, or their session or process does not exist
  /// on this machine.
  package var ended: [Decision] = []
  /// Allows that would have no effect, because of the policy or a denial for everyone.
  package var void: [Decision] = []
  /// Stored allows that an imported denial would take back, except those that the import contains.
  package var takenBack: [Decision] = []

  /// A stored decision, and the decision that would replace it.
  package struct Replacement: Hashable, Sendable {
    package var before: Decision
    package var after: Decision
  }

  /// The decisions to pass to ``PermissionStore/importDecisions(_:by:)``; empty if nothing would change. They include those
  /// that are already stored, so that an imported denial does not take them back.
  package var decisions: [Decision] {
    added.isEmpty && replaced.isEmpty ? [] : added + replaced.map(\.after) + unchanged
  }
}

extension ImportPlan {
  /// Adds a decision that takes effect.
  ///
  /// - Parameter before: The stored decision about the same program and atom; `nil` if there is none.
  fileprivate mutating func add(_ decision: Decision, over before: Decision?) {
    guard let before else { return added.append(decision) }
    if decision.saysTheSame(as: before) {
      unchanged.append(decision)
    } else {
      replaced.append(Replacement(before: before, after: decision))
    }
  }
}

extension [Decision] {
  /// The last of the decisions about each program and atom, in the order of the first ones.
  fileprivate var latest: [Decision] {
    var latest = Dictionary(map { ($0.key, $0) }) { _, last in last }
    return map(\.key).compactMap { latest.removeValue(forKey: $0) }
  }
}

extension PermissionStore {
  /// Determines the effect of importing decisions, without importing them.
  ///
  /// If several decisions are for the same program and atom, the last of them is used.
  ///
  /// - Parameter isVoid: Returns whether an allow is void because of the policy or one of the denials for everyone.
  package func planImport(
    of decisions: [Decision],
    leavingOut isVoid: (_ allow: Decision, _ denials: [Decision]) -> Bool = { _, _ in false }
  ) throws(StoreError) -> ImportPlan {
    let moment = environment.now()
    // A key can occur twice, because Swift considers some strings equal even if their bytes in the file differ.
    let standing = Dictionary(try self.decisions().map { ($0.key, $0) }) { first, _ in first }
    let denials = (Array(standing.values) + decisions)
      .filter { $0.subject.isEveryone && $0.isInForce(at: moment) }
    var plan = ImportPlan()
    for decision in decisions.latest {
      if !decision.isInForce(at: moment) {
        plan.ended.append(decision)
      } else if decision.verdict == .allow, isVoid(decision, denials) {
        plan.void.append(decision)
      } else {
        plan.add(decision, over: standing[decision.key])
      }
    }
    plan.takenBack = takenBack(by: plan, among: standing.values)
    return plan
  }

  private func takenBack(
    by plan: ImportPlan, among standing: some Sequence<Decision>
  ) -> [Decision] {
    let denials = (plan.added + plan.replaced.map(\.after)).filter { $0.verdict == .deny }
    let inside = Dictionary(grouping: denials) { Decision.Place($0) }
    let imported = Set(plan.decisions.map(\.key))
    return standing.filter { allow in
      guard allow.verdict == .allow, let denials = inside[Decision.Place(allow)],
        !imported.contains(allow.key),
        let definition = environment.definition(allow.atom.capability)
      else { return false }
      return denials.contains { $0.takesBack(allow, definition) }
    }.sorted { ($0.decidedAt, $0.atom) < ($1.decidedAt, $1.atom) }
  }
}

extension Decision {
  /// The label and the capability that a denial shares with the allows that it can take back.
  fileprivate struct Place: Hashable {
    let label: String
    let capability: String

    init(_ decision: Decision) {
      label = decision.subject.label
      capability = decision.atom.capability
    }
  }
}
