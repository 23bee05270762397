extension Judge {
  /// Checks that an allow that is made beforehand would have an effect, and that it is not kept for too long.
  ///
  /// - Parameters:
  ///   - lifetime: If it is `nil`, each decision has the longest lifetime that it can have.
  ///   - standing: The decisions that are in force.
  ///   - moment: The time at which the allow is made.
  package func checkAllowing(
    _ atoms: Set<Atom>, for lifetime: LifetimeChoice?, _ standing: DecisionsInForce, at moment: Timestamp
  ) throws(DecisionRefused) {
    if subject.isEveryone { throw .everyoneIsOnlyDenied }
    for atom in atoms.sorted() { try checkAllowing(atom, for: lifetime, standing.protected) }
    if let denial = denial(of: atoms, outweighingAnAllowAt: moment, standing) {
      throw .denied(denial, definition.reference(for: [denial.atom]))
    }
  }

  private func checkAllowing(
    _ atom: Atom, for lifetime: LifetimeChoice?, _ protected: ProtectedNames
  ) throws(DecisionRefused) {
    let what = definition.reference(for: [atom])
    if let limit = AllowLimit(on: atom) {
      if limit.longest == .once { throw .neverAllowedBeforehand(what, reason: limit.reason) }
      if let lifetime, limit.forbids(lifetime) { throw .allowedTooLong(what, reason: limit.reason) }
    }
    if atom.isProtectedFolder(protected) { throw .protectedFolder(what) }
    if atom.needsFolder, subject.folder == nil { throw .needsFolder(what) }
    if policy.forbids(atom, to: subject, definition) { throw .forbiddenByPolicy(what) }
  }

  /// Returns a denial because of which an allow would have no effect; `nil` if there is none. An allow of several values
  /// has an effect on those that are not denied. The policy has been checked before, and a panic passes.
  private func denial(
    of atoms: Set<Atom>, outweighingAnAllowAt moment: Timestamp, _ standing: DecisionsInForce
  ) -> Decision? {
    let forEveryone = standing.everyone.first { denial in
      atoms.contains { definition.denies(denial.atom, $0) }
    }
    if let forEveryone { return forEveryone }
    var standing = standing
    standing.suspension = nil
    let decided = restricted { _ in false }.judgement(on: atoms, standing).decided
      .answering(.allow, atoms, at: moment, isKept: true)
    let denied = atoms.filter { $0.scope.isValue && decided.state(of: $0) == .denied }
    return decided.decisions(behind: denied).first
  }
}
