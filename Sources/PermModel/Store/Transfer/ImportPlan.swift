/// What an import would change.
public struct ImportPlan: Hashable, Sendable {
  /// Decisions where nothing is decided yet.
  public var added: [Decision] = []
  /// Decisions that would stand in place of others.
  public var replaced: [Replacement] = []
  /// Decisions that stand so already.
  public var unchanged: [Decision] = []
  /// Decisions that are over: their deadline passed, or they belong to a session or process that is not here.
  public var ended: [Decision] = []

  /// One decision in place of another.
  public struct Replacement: Hashable, Sendable {
    public var before: Decision
    public var after: Decision
  }

  /// What is to be given to ``PermissionStore/importDecisions(_:by:)``.
  public var decisions: [Decision] { added + replaced.map(\.after) }
}

extension PermissionStore {
  /// Tells what importing decisions would change, and changes nothing.
  ///
  /// Where several are for the same program and atom, the last one counts.
  public func planImport(of decisions: [Decision]) throws(StoreError) -> ImportPlan {
    let moment = environment.now()
    // Swift holds texts for equal that a file may have as two.
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
