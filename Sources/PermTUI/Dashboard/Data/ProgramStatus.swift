import PermModel

/// The status of one program and one capability, as one sign in the matrix.
enum PairStatus: Hashable, Sendable {
  case undecided
  case allowed, denied
  /// Allowed for some values; other values would be asked about.
  case partlyAllowed
  /// Denied for some values, to this program or to everyone; other values would be asked about.
  case partlyDenied
  /// Allowed in part and denied in part.
  case mixed
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
  private let waiting: [WaitingRow]
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
    var found = FoundVerdicts()
    for row in shownRows(capability) {
      switch data.effect(of: row) {
      case .suspended: return .suspended
      case .rests: found.note(row.verdict, ofSome: true)
      case .holds: found.note(row.verdict, ofSome: row.isAboutValuesOnly)
      case .holdsPartly:
        found.note(.allow, ofSome: true)
        found.note(.deny, ofSome: true)
      case .deniedForEveryone, .forbiddenByPolicy: found.note(.deny, ofSome: row.isAboutValuesOnly)
      }
    }
    let denials = (data.deniedToEveryone[capability] ?? []).map(\.atom) + restricted(capability)
    if denyAll(denials, of: capability) { found.note(.deny, ofSome: false) }
    return found.status(isMuted: mute != nil, isPartlyDenied: !denials.isEmpty)
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

/// The verdicts about one program and one capability, and whether each is about some values only.
private struct FoundVerdicts {
  private var ofSome: [Verdict: Bool] = [:]

  mutating func note(_ verdict: Verdict, ofSome isOfSome: Bool) {
    ofSome[verdict] = isOfSome && (ofSome[verdict] ?? true)
  }

  /// Returns the status that follows from the verdicts.
  ///
  /// - Parameters:
  ///   - isMuted: Whether everything that is not decided is denied.
  ///   - isPartlyDenied: Whether something is denied even if there are no verdicts.
  func status(isMuted: Bool, isPartlyDenied: Bool) -> PairStatus {
    switch (ofSome[.allow], ofSome[.deny]) {
    case (nil, nil): isMuted ? .muted : isPartlyDenied ? .partlyDenied : .undecided
    case (false?, nil): .allowed
    case (true?, nil): isMuted ? .mixed : .partlyAllowed
    case (nil, false?): .denied
    case (nil, true?): isMuted ? .muted : .partlyDenied
    default: .mixed
    }
  }
}

extension DecisionRow {
  /// Whether the decision is about values alone, so that other values are not decided.
  fileprivate var isAboutValuesOnly: Bool { atoms.allSatisfy { $0.scope != .any } }
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
