import PermModel

extension DashboardData {
  /// The greatest number of atoms of one row whose effects are determined.
  private static let mostAtoms = 100

  /// Returns the effect of a decision, by the rules that also determine the answers to requests.
  func effect(of row: DecisionRow) -> DecisionEffect {
    let effect = effectBesideOthers(of: row)
    guard row.verdict == .allow, effect == .holds, let writer = writer(in: row.subject.folder) else {
      return effect
    }
    let atoms = row.atoms.prefix(Self.mostAtoms)
    let resting = atoms.filter { $0.restsWhileWritten(endsWithSession: row.lifetime.endsWithSession) }
    return resting.isEmpty ? effect : resting.count == atoms.count ? .rests(writer: writer) : .holdsPartly
  }

  /// Returns the name of a program that may write in an agent's folder; `nil` if none is known.
  func writer(in folder: ProgramFolder?) -> String? { folder.flatMap { writers[$0.path] } }

  /// Returns the effect of a decision beside the policy, the panic and the denials for everyone.
  private func effectBesideOthers(of row: DecisionRow) -> DecisionEffect {
    guard row.verdict == .allow else { return .holds }
    let rest: DecisionEffect = panicSince == nil ? .holds : .suspended
    let stricter = deniedToEveryone[row.capability] ?? []
    // Usually nothing is stricter, and then the definition is not needed.
    if stricter.isEmpty && policy.restrictions.isEmpty { return rest }
    let definition = definition(of: row.capability, atoms: row.atoms)
    let judge = Judge(of: row.subject, definition, under: policy)
    guard !stricter.isEmpty || judge.hasRestrictions else { return rest }
    let effects = Set(
      row.decisions.prefix(Self.mostAtoms).map {
        judge.effect(of: $0, beside: stricter, panicSince: panicSince)
      })
    return effects.count == 1 ? effects.first ?? .holds : panicSince == nil ? .holdsPartly : .suspended
  }

  /// Returns a capability's definition, or one made from the given atoms if the capability is not known any longer.
  func definition(of capability: String, atoms: [Atom]) -> CapabilityDefinition {
    let row = self.capability(capability)
    if let definition = row?.definition { return definition }
    let names = Set(atoms.map(\.name) + (row?.choices ?? []).flatMap { $0.atoms.map(\.name) })
    return CapabilityDefinition(
      name: capability, title: row?.title ?? capability, summary: "",
      parts: names.sorted().map { CapabilityPart($0, action: "use it") })
  }
}

extension DecisionRow {
  /// The row's decisions, one for each atom.
  var decisions: some RandomAccessCollection<Decision> {
    atoms.lazy.map { atom in
      Decision(
        subject: subject, atom: atom, verdict: verdict, lifetime: lifetime, origin: origin, note: note,
        decidedAt: decidedAt, lastUsed: lastUsed)
    }
  }

  /// Whether the decision mutes its program.
  var isMute: Bool { capability == Atom.everything.capability }

  /// The decision as a participle, for example `allowed`.
  var past: String { decisions.first?.past ?? verdict.past }

  /// Whether the decision applies to this program, as the store determines it for answers.
  func holds(for program: Subject) -> Bool {
    program == subject || decisions.first.map { $0.holds(for: program) } == true
  }
}
