import PermModel

/// The status of one program and one capability, as one sign in the matrix.
enum PairStatus: Hashable, Sendable {
  case undecided
  /// No decision exists for this program, and everyone is denied a part of the capability.
  case partlyDenied
  case allowed, denied, mixed
  /// Allowed, but not while the panic lasts.
  case suspended
  /// Undecided, and denied because the program is muted.
  case muted
}

/// Everything that determines the answers to one program.
struct ProgramStatus: Sendable {
  /// The greatest number of rows about one capability and with one verdict whose effects are determined.
  private static let mostRows = 50

  let program: Subject
  /// The decision that mutes the program; `nil` if it is not muted.
  let mute: DecisionRow?
  /// The decisions that apply to the program, by capability.
  let rows: [String: [DecisionRow]]
  private let waiting: [WaitingItem]
  private let data: DashboardData

  init(of program: Subject, in data: DashboardData) {
    self.program = program
    self.data = data
    mute = data.decisions(about: Atom.everything.capability, .deny).first { $0.holds(for: program) }
    rows = Dictionary(grouping: data.decisions(applyingTo: program)) { $0.capability }
    waiting = data.waiting(of: program)
  }

  func waits(for capability: String) -> Bool { waiting.contains { $0.request?.capability == capability } }

  /// The capabilities that the program waits for, in order.
  var awaited: [String] { waiting.compactMap { $0.request?.capability } }

  subscript(capability: String) -> PairStatus {
    var verdicts: Set<Verdict> = []
    for row in shownRows(capability) {
      switch data.effect(of: row) {
      case .suspended: return .suspended
      case .holds: verdicts.insert(row.verdict)
      case .holdsPartly: verdicts.formUnion([.allow, .deny])
      case .deniedForEveryone, .forbiddenByPolicy: verdicts.insert(.deny)
      }
    }
    let denials = (data.deniedToEveryone[capability] ?? []).map(\.atom) + restricted(capability)
    if denyAll(denials, of: capability) { verdicts.insert(.deny) }
    switch (verdicts.contains(.allow), verdicts.contains(.deny)) {
    case (true, true): return .mixed
    case (true, false): return .allowed
    case (false, true): return .denied
    case (false, false): return mute != nil ? .muted : denials.isEmpty ? .undecided : .partlyDenied
    }
  }

  /// Whether denials for everyone leave nothing of what programs usually ask for.
  private func denyAll(_ denials: [Atom], of capability: String) -> Bool {
    let definition = data.definition(of: capability, atoms: [])
    let usual = definition.defaultAtoms.isEmpty ? Set(definition.atoms) : definition.defaultAtoms
    return !usual.isEmpty
      && usual.allSatisfy { atom in
        denials.contains { $0.scope == .any && definition.implies(atom, $0) }
      }
  }

  private func shownRows(_ capability: String) -> [DecisionRow] {
    let rows = rows[capability] ?? []
    guard rows.count > Self.mostRows else { return rows }
    return Verdict.allCases.flatMap { verdict in
      rows.lazy.filter { $0.verdict == verdict }.prefix(Self.mostRows)
    }
  }

  /// Returns what the machine's policy forbids to the program.
  func restricted(_ capability: String) -> Set<Atom> {
    if data.policy.restrictions.isEmpty { return [] }
    return data.policy.restricted(for: program, data.definition(of: capability, atoms: []))
  }

  /// The status of each capability about which anything is decided for this program or for everyone, by name.
  var decided: [(capability: String, status: PairStatus)] {
    var names = Set(rows.keys).union(data.deniedToEveryone.keys)
    names.formUnion(data.policy.restrictions.map(\.capability))
    return names.subtracting([Atom.everything.capability]).sorted().map { ($0, self[$0]) }
  }
}

extension DashboardData {
  /// Returns the decisions that apply to a program: its own, and those for its label alone.
  fileprivate func decisions(applyingTo program: Subject) -> [DecisionRow] {
    let others = programs(labelled: program.label).filter { $0 != program && !$0.isEveryone }
    return decisions(for: program)
      + others.flatMap { other in
        let rows = decisions(for: other)
        return Verdict.allCases.flatMap { verdict in
          let same = rows.filter { $0.verdict == verdict && !$0.isMute }
          return same.first?.holds(for: program) == true ? same : []
        }
      }
  }

  /// The programs with decisions, followed by those that only wait for an answer.
  var knownPrograms: [Subject] {
    var known = Set(programs)
    return programs + waiting.compactMap(\.request?.subject).filter { known.insert($0).inserted }
  }
}
