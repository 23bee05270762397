import PermModel

/// The effect of a kept decision now.
enum DecisionEffect: Hashable, Sendable {
  case holds
  /// An allow that a denial for everyone or the machine's policy takes back for some values.
  case holdsPartly
  /// An allow that has no effect while the panic lasts.
  case suspended
  /// An allow that has no effect because everyone is denied the same.
  case deniedForEveryone
  /// An allow that has no effect because the machine's policy forbids the same.
  case forbiddenByPolicy
}

extension DashboardData {
  /// The greatest number of atoms of one row whose effects are determined.
  private static let mostAtoms = 100

  /// Returns the effect of a decision, by the rules that also determine the answers to requests.
  func effect(of row: DecisionRow) -> DecisionEffect {
    guard row.verdict == .allow else { return .holds }
    let rest: DecisionEffect = panicSince == nil ? .holds : .suspended
    let stricter = deniedToEveryone[row.capability] ?? []
    // Usually nothing is stricter, and then the definition is not needed.
    if stricter.isEmpty && policy.restrictions.isEmpty { return rest }
    let definition = definition(of: row.capability, atoms: row.atoms)
    let restricted = policy.restricted(for: row.subject, definition)
    guard !stricter.isEmpty || !restricted.isEmpty else { return rest }
    let effects = Set(
      row.decisions.prefix(Self.mostAtoms).map { effect(of: $0, definition, beside: stricter, restricted) })
    return effects.count == 1 ? effects.first ?? .holds : panicSince == nil ? .holdsPartly : .suspended
  }

  private func effect(
    of allow: Decision, _ definition: CapabilityDefinition, beside denials: [Decision],
    _ restricted: Set<Atom>
  ) -> DecisionEffect {
    // A denial of only some of the values leaves the others allowed.
    let whole = DecidedAtoms(
      definition, decisions: [allow] + denials.filter { $0.atom.scope.covers(allow.atom.scope) },
      restricted: restricted.filter { $0.scope.covers(allow.atom.scope) })
    let state = whole.state(of: allow.atom)
    switch Outlook([state], mute: nil, suspendedSince: panicSince).cause {
    case .policy: return .forbiddenByPolicy
    case .panic: return state == .denied ? .deniedForEveryone : .suspended
    case .decision where state == .allowed:
      let all = DecidedAtoms(definition, decisions: [allow] + denials, restricted: restricted)
      return all.state(of: allow.atom) == .allowed ? .holds : .holdsPartly
    default: return state == .denied ? .deniedForEveryone : .holdsPartly
    }
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
