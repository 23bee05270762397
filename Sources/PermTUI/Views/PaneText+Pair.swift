import PermModel

extension PaneText {
  /// The greatest number of decisions that the pane of the matrix lists.
  private static let mostDecisions = 20

  func pairTitle(_ program: Subject) -> String {
    "\(state.desk.name(of: program)) and \(typesetter.visible(state.matrixCapability?.title ?? ""))"
  }

  /// Returns everything that determines the answer to a program about the capability that is selected in the matrix.
  func pair(_ program: Subject) -> [TextLine] {
    guard let capability = state.matrixCapability else { return [] }
    let status = ProgramStatus(of: program, in: state.desk.data)
    let rows = status.rows[capability.id] ?? []
    let more = rows.count - Self.mostDecisions
    let own = rows.prefix(Self.mostDecisions).flatMap { decided($0, capability) }
    return waiting(program, capability) + forEveryone(program, capability) + policy(status, capability)
      + (rows.isEmpty ? undecided(status, capability) : own)
      + (more > 0 ? wrapped("and \(more) more", Style(.muted)) : []) + general(status)
  }

  /// Returns what holds for a program beside its decisions about single capabilities.
  func general(_ status: ProgramStatus) -> [TextLine] {
    let mute = status.mute.map { row in
      wrapped(
        "✕ Muted \(row.lifetime.words(state.desk.short)): what is not decided is denied, and nothing is asked.",
        Style(.denied))
    }
    let panic = state.desk.data.panicSince.map { since in
      wrapped("‖ Panic since \(state.desk.short(since)): nothing is allowed.", Style(.attention))
    }
    return (mute ?? []) + (panic ?? [])
  }

  private func waiting(_ program: Subject, _ capability: CapabilityRow) -> [TextLine] {
    state.desk.data.waiting(for: capability.id).filter { $0.request?.subject == program }.prefix(3).flatMap {
      item in
      let reason = item.request?.reason.map { ": \" \(typesetter.visible($0)) \"" } ?? ""
      return wrapped(
        "? waits for an answer, asked \(state.desk.short(item.askedAt))\(reason)", Style(.attention))
    }
  }

  private func forEveryone(_ program: Subject, _ capability: CapabilityRow) -> [TextLine] {
    guard !program.isEveryone else { return [] }
    return state.desk.data.decisions(for: .everyone).filter { $0.capability == capability.id }
      .prefix(Self.mostDecisions).flatMap { row in
        wrapped("✕ denied for everyone: \(terms(row, capability))", Style(.denied))
      }
  }

  private func policy(_ status: ProgramStatus, _ capability: CapabilityRow) -> [TextLine] {
    let atoms = status.restricted(capability.id)
    guard !atoms.isEmpty else { return [] }
    let words = typesetter.visibleWords(capability.words(for: atoms.sorted()))
    return wrapped("✕ forbidden by the policy of this machine: \(words)", Style(.denied))
  }

  private func undecided(_ status: ProgramStatus, _ capability: CapabilityRow) -> [TextLine] {
    status[capability.id] == .undecided || status[capability.id] == .muted
      ? wrapped("Nothing is decided.", Style(.muted)) : []
  }

  /// Returns a decision of the program, with its effect now.
  private func decided(_ row: DecisionRow, _ capability: CapabilityRow) -> [TextLine] {
    let terms = terms(row, capability)
    guard row.verdict == .allow else { return wrapped("✕ denied: \(terms)", Style(.denied)) }
    switch state.desk.data.effect(of: row) {
    case .holds: return wrapped("● allowed: \(terms)", Style(.allowed))
    case .holdsPartly: return wrapped("◐ allowed, but not all of it: \(terms)")
    case .suspended: return wrapped("‖ suspended: \(terms)", Style(.attention))
    case .deniedForEveryone:
      return wrapped("✕ without effect, as everyone is denied it: \(terms)", Style(.denied))
    case .forbiddenByPolicy:
      return wrapped("✕ without effect, as the policy forbids it: \(terms)", Style(.denied))
    }
  }

  private func terms(_ row: DecisionRow, _ capability: CapabilityRow) -> String {
    let words = typesetter.visibleWords(capability.words(for: row.atoms))
    let decided = "decided \(state.desk.short(row.decidedAt)) \(state.desk.byAuthor(of: row))"
    return "\(words), \(row.lifetime.words(state.desk.short)), \(decided)"
  }
}
