/// The effect that an import would have.
public struct ImportPlan: Hashable, Sendable {
  /// Decisions about atoms that are not decided yet.
  public var added: [Decision] = []
  /// Decisions that would replace others.
  public var replaced: [Replacement] = []
  /// Decisions that are already in the store.
  public var unchanged: [Decision] = []
  /// Decisions that are over: their deadline has passed, or they belong to a session or process that does not exist
  /// here.
  public var ended: [Decision] = []

  /// One decision in place of another.
  public struct Replacement: Hashable, Sendable {
    public var before: Decision
    public var after: Decision
  }

  /// The decisions to pass to ``PermissionStore/importDecisions(_:by:)``.
  public var decisions: [Decision] { added + replaced.map(\.after) }
}

extension PermissionStore {
  /// Determines the effect of importing decisions, without importing them.
  ///
  /// If several are for the same program and atom, the last one counts.
  public func planImport(of decisions: [Decision]) throws(StoreError) -> ImportPlan {
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
