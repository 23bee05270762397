package import PermModel

// Mutes, and the panic.

extension StoreControl {
  package func mute(
    _ program: String, in folder: String?, for lifetime: LifetimeChoice
  ) throws -> Decision {
    guard program != Subject.everyone.label else {
      throw DecisionRefused.everyoneIsMutedByPanic
    }
    try lifetime.checkBeforehand(at: now)
    let name = ProgramName(program, in: folder)
    let subject = try name.decidable(.deny, in: store)
    // A label that no program has used is most likely mistyped, and the mute would have no effect.
    if subject.isUnbound, try name.inAnyFolder.known(in: store).isEmpty { throw try unknown(program) }
    return try store.decide(.mute(subject, for: lifetime), by: origin)[0]
  }

  package func unmute(_ program: String, in folder: String?) throws -> [Decision] {
    let name = ProgramName(program, in: folder)
    let subjects = try name.one(in: store)
    guard !subjects.isEmpty else { throw try unknown(program) }
    let muted = try store.decisions(.mutes).map(\.subject).filter { $0.isMuted(with: subjects) }
    guard !muted.isEmpty else { return [] }
    var filter = DecisionFilter.mutes
    filter.subjects = Set(muted)
    return try store.forget(filter, by: origin)
  }

  package func setPanic(_ isOn: Bool) throws -> Bool { try store.setSuspended(isOn, by: origin) }
}

extension Subject {
  /// Whether a mute of this program also mutes one of the given ones. A program with a file is muted by its file, whatever
  /// its label.
  fileprivate func isMuted(with others: [Subject]) -> Bool {
    others.contains { $0.muted == self || (path != nil && $0.path == path && $0.folder == folder) }
  }
}
