/// The effect that an import would have.
package struct ImportPlan: Hashable, Sendable {
  /// Decisions about atoms that are not decided yet.
  package var added: [Decision] = []
  /// Decisions that would replace others.
  package var replaced: [Replacement] = []
  /// Decisions that are already in the store.
  package var unchanged: [Decision] = []
  /// Decisions that are over: their deadline has passed, or they belong to a session or process that does not exist
  /// here.
  package var ended: [Decision] = []

  /// One decision in place of another.
  package struct Replacement: Hashable, Sendable {
    package var before: Decision
    package var after: Decision
  }

  /// The decisions to pass to ``PermissionStore/importDecisions(_:by:)``.
  package var decisions: [Decision] { added + replaced.map(\.after) }
}

extension PermissionStore {
  /// Determines the effect of importing decisions, without importing them.
  ///
  /// If several are for the same program and atom, the last one counts.
  package func planImport(of decisions: [Decision]) throws(StoreError) -> ImportPlan {
    let moment = environment.now()
    // Swift considers some texts equal that are distinct in a file.
    let standing = Dictionary(try self.decisions().map { ($0.key, $0) }) { first, _ in first }
    var latest = Dictionary(decisions.map { ($0.key, $0) }) { _, last in last }
    var plan = ImportPlan()
    for key in decisions.map(\.key) {
      guard let decision = latest.removeValue(forKey: key) else { continue }
      if !decision.isInForce(at: moment) {
        plan.ended.append(decision)
      } else if let before = standing[decision.key] {
        if decision.saysTheSame(as: before) {
          plan.unchanged.append(decision)
        } else {
          plan.replaced.append(ImportPlan.Replacement(before: before, after: decision))
        }
      } else {
        plan.added.append(decision)
      }
    }
    return plan
  }
}
