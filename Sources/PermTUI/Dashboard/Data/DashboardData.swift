import PermModel

/// A snapshot of everything on the screen that comes from outside the dashboard.
///
/// An adapter fills it from the store, the catalogue and the scheduler. It contains the counts of all decisions, the
/// first few decisions about each capability, and the decisions that the open view lists. The decisions are indexed
/// once per change, so even with a hundred thousand decisions, a key press is handled quickly.
struct DashboardData: Sendable {
  var capabilities: [CapabilityRow] = []
  private(set) var decisions: [DecisionRow] = []
  /// The scope whose decisions have all been read.
  private(set) var scope = DecisionScope.first
  var waiting: [WaitingRow] = [] {
    didSet {
      waitingFor = Dictionary(grouping: waiting) { $0.request?.capability ?? "" }
      let requests = waiting.filter { $0.request != nil }
      waitingOf = Dictionary(grouping: requests) { $0.request?.subject ?? .everyone }
      waitingPrograms = Dictionary(grouping: waitingOf.keys, by: \.label)
    }
  }
  var operations: [OperationRow] = []
  /// The journal entries that were read, newest first. A search adds older ones.
  var journal: [JournalRow] = []
  /// How far a search in the journal has come; `nil` if there is none.
  var search: JournalProgress?
  /// The day that was read; `nil` while none is open.
  var day: DayPage?
  /// The command lines that were asked for; `nil` while they are not listed.
  var commands: CommandsPage?
  /// The names of programs that may write in the folders of agents for which lines are kept or were asked for, by the
  /// folder's path. What runs the files there rests.
  var writers: [String: String] = [:]
  /// The start of the panic, which denies new requests and suspends all allow decisions; `nil` if there is no panic.
  var panicSince: Timestamp?
  /// The restrictions that the machine's owner has set.
  var policy = MachinePolicy.none
  /// Returns the names to which writing is allowed only with a typed word. Finding them takes many look-ups of paths,
  /// so they are found when they are needed.
  var protected: @Sendable () -> ProtectedNames = { .current }
  /// One or two words that say whether programs can reach this dashboard, for example `listening`; empty while that is
  /// not known, as between two brokers.
  var connection = ""
  /// Whether the kernel does not report changes of files, so that they are noticed only once a second.
  var isLate = false
  /// Whether the store has been read at least once.
  var isLoaded = false
  /// Whether the probes have reported which capabilities this machine has.
  var isProbed = false

  private var waitingFor: [String: [WaitingRow]] = [:]
  private var waitingOf: [Subject: [WaitingRow]] = [:]
  /// The programs of the waiting requests, by label.
  private var waitingPrograms: [String: [Subject]] = [:]
  /// The denials for everyone, by capability.
  private(set) var deniedToEveryone: [String: [Decision]] = [:]
  private var index = DecisionIndex([])
  private var counts: [String: DecisionCounts] = [:]
  /// The earliest time at which any stored decision ends, even one that was not read.
  private var nextEnd: Timestamp?

  /// The programs that the loaded decisions concern, in the order of their first decisions.
  var programs: [Subject] { index.programs }

  /// The next time at which a decision expires; `nil` if no decision will expire.
  var nextExpiry: Timestamp? { [index.nextExpiry, nextEnd].compactMap(\.self).min() }

  var allowedCount: Int { counts.values.reduce(0) { $0 + $1.allowed } }
  /// The total number of allow decisions, and a word that says whether they are in effect now. Each program counts once
  /// per capability.
  var allowedWords: String { "\(allowedCount) \(panicSince == nil ? "allowed" : "suspended")" }
  var deniedCount: Int { counts.values.reduce(0) { $0 + $1.denied } }

  /// Replaces the decisions that were read, and indexes them.
  ///
  /// - Parameters:
  ///   - scope: The scope that `decisions` covers completely.
  ///   - counts: The numbers of programs for each capability. They cover all decisions, even those not read.
  ///   - nextEnd: The earliest time at which any decision ends, even one that was not read.
  /// - Complexity: O(*n*).
  mutating func setDecisions(
    _ decisions: [DecisionRow], in scope: DecisionScope, counts: [String: DecisionCounts],
    nextEnd: Timestamp? = nil
  ) {
    self.decisions = decisions
    self.scope = scope
    self.counts = counts
    self.nextEnd = nextEnd
    index = DecisionIndex(decisions)
    deniedToEveryone = Dictionary(
      grouping: self.decisions(for: .everyone).filter { $0.verdict == .deny }.flatMap(\.decisions)
    ) { $0.atom.capability }
  }

  /// Returns whether any decision has expired, even one that was not read.
  func hasExpired(by moment: Timestamp) -> Bool { nextExpiry.map { $0 <= moment } ?? false }

  /// Returns the decisions that were read and have expired.
  func ended(by moment: Timestamp) -> [DecisionRow] {
    guard hasExpired(by: moment) else { return [] }
    return decisions.filter { !$0.holds(at: moment) }
  }

  /// Removes decisions that have expired. Returns whether any decision had expired, even one that was not read.
  mutating func dropExpired(at moment: Timestamp) -> Bool {
    guard hasExpired(by: moment) else { return false }
    let left = decisions.filter { $0.holds(at: moment) }
    let later = nextEnd.flatMap { $0 > moment ? $0 : nil }
    setDecisions(left, in: scope, counts: counts(without: decisions, keeping: left), nextEnd: later)
    return true
  }
}

extension DashboardData {
  /// Returns the counts that remain after the decisions in `read` that are missing from `left` have expired.
  private func counts(without read: [DecisionRow], keeping left: [DecisionRow]) -> [String: DecisionCounts] {
    let after = DecisionCounts.of(left)
    var result = counts
    for (capability, before) in DecisionCounts.of(read) {
      let kept = after[capability] ?? DecisionCounts()
      result[capability, default: DecisionCounts()].allowed -= before.allowed - kept.allowed
      result[capability, default: DecisionCounts()].denied -= before.denied - kept.denied
    }
    return result
  }

  func capability(_ id: String) -> CapabilityRow? { place(ofCapability: id).map { capabilities[$0] } }

  /// Returns what a decision allows or denies, in words; `nil` if its capability is not known.
  func words(for row: DecisionRow) -> String? {
    // The row of the capability is large, so it is not copied.
    place(ofCapability: row.capability).map { capabilities[$0].words(for: row.atoms) }
  }

  private func place(ofCapability id: String) -> Int? {
    capabilities.indices.first { capabilities[$0].id == id }
  }

  func operation(_ id: String) -> OperationRow? { operations.first { $0.id == id } }

  /// Returns the journal row with this number.
  ///
  /// - Complexity: O(log *n*), because the journal is ordered by number, with the newest row first.
  func journalRow(_ id: Int64) -> JournalRow? {
    var low = 0
    var high = journal.count
    while low < high {
      let middle = (low + high) / 2
      if journal[middle].id > id { low = middle + 1 } else { high = middle }
    }
    return low < journal.count && journal[low].id == id ? journal[low] : nil
  }

  /// Returns the number of programs that are allowed the capability (verdict `.allow`) or denied it (`.deny`).
  func count(of capability: String, _ verdict: Verdict) -> Int { counts[capability]?[verdict] ?? 0 }

  /// Returns the number of decisions about the capability. If not all of them were read, returns the number
  /// of programs that are allowed it plus the number of programs that are denied it.
  func count(about capability: String) -> Int {
    scope.covers(.capability(capability))
      ? decisions(about: capability).count
      : count(of: capability, .allow) + count(of: capability, .deny)
  }

  /// Returns the decisions about the capability that were read and have this verdict.
  func decisions(about capability: String, _ verdict: Verdict) -> some RandomAccessCollection<DecisionRow> {
    // The closure is kept, so it must not keep all of the data.
    (index.ofCapability[capability]?[verdict] ?? []).lazy.map { [decisions] in decisions[$0] }
  }

  /// Returns the decisions about the capability that were read: first the allow decisions, then the denials.
  func decisions(about capability: String) -> some RandomAccessCollection<DecisionRow> {
    let places = index.ofCapability[capability] ?? [:]
    return ((places[.allow] ?? []) + (places[.deny] ?? [])).lazy.map { [decisions] in decisions[$0] }
  }

  /// Returns the first programs, each once in a row, that decisions about the capability with this verdict concern. An
  /// allow counts only if it has any effect under the policy.
  func programs(_ verdict: Verdict, _ capability: String, most: Int) -> [Subject] {
    guard verdict == .allow, isRestricted(capability) else {
      return (index.firstOfCapability[capability]?[verdict] ?? []).prefix(most).map { decisions[$0].subject }
    }
    var programs: [Subject] = []
    for row in decisions(about: capability, verdict) where row.subject != programs.last && isPermitted(row) {
      if programs.count == most { break }
      programs.append(row.subject)
    }
    return programs
  }

  func decisions(for program: Subject) -> [DecisionRow] {
    (index.ofProgram[program] ?? []).map { decisions[$0] }
  }

  /// Returns how many values of a program are allowed and denied until a run of it ends; `nil` if not all decisions about
  /// the program have been read.
  func kept(untilEndOf run: ProcessIdentity, for program: Subject) -> RunKnowledge.Kept? {
    guard scope.covers(.program(program)) else { return nil }
    return decisions(for: program).reduce(into: RunKnowledge.Kept()) { kept, row in
      guard row.lifetime == .process(run) else { return }
      if row.verdict == .allow { kept.allowed += row.atoms.count } else { kept.denied += row.atoms.count }
    }
  }

  /// Returns the programs with this label that the loaded decisions concern.
  func programs(labelled label: String) -> [Subject] { index.ofLabel[label] ?? [] }

  /// Returns a program's name, with what distinguishes it from other programs of the same name.
  func name(of program: Subject) -> String {
    let (known, waiting) = (programs(labelled: program.label), waitingPrograms[program.label] ?? [])
    return known.count + waiting.count > 1 ? Set(known + waiting).name(of: program) : program.name
  }

  func decision(_ id: DecisionRow.ID) -> DecisionRow? {
    (index.ofProgram[id.subject] ?? []).first { decisions[$0].id == id }.map { decisions[$0] }
  }

  func waiting(for capability: String) -> [WaitingRow] { waitingFor[capability] ?? [] }

  /// Returns the waiting requests of a program.
  func waiting(of program: Subject) -> [WaitingRow] { waitingOf[program] ?? [] }
}

extension DecisionCounts {
  /// Counts, for each capability, the programs that the given decisions allow and those that they deny.
  static func of(_ decisions: [DecisionRow]) -> [String: DecisionCounts] {
    var programs: [String: [Verdict: Set<Subject>]] = [:]
    for row in decisions {
      programs[row.capability, default: [:]][row.verdict, default: []].insert(row.subject)
    }
    return programs.mapValues {
      DecisionCounts(allowed: $0[.allow]?.count ?? 0, denied: $0[.deny]?.count ?? 0)
    }
  }
}

/// The indices of the decisions, by capability and by program.
private struct DecisionIndex: Sendable {
  private(set) var ofCapability: [String: [Verdict: [Int]]] = [:]
  /// Of these, the first of each run of decisions about one program. A program can have thousands of them.
  private(set) var firstOfCapability: [String: [Verdict: [Int]]] = [:]
  private(set) var ofProgram: [Subject: [Int]] = [:]
  private(set) var programs: [Subject] = []
  private(set) var ofLabel: [String: [Subject]] = [:]
  private(set) var nextExpiry: Timestamp?

  init(_ decisions: [DecisionRow]) {
    for (place, row) in decisions.enumerated() {
      if ofCapability[row.capability]?[row.verdict]?.last.map({ decisions[$0].subject }) != row.subject {
        firstOfCapability[row.capability, default: [:]][row.verdict, default: []].append(place)
      }
      ofCapability[row.capability, default: [:]][row.verdict, default: []].append(place)
      if ofProgram[row.subject, default: []].isEmpty {
        programs.append(row.subject)
        ofLabel[row.subject.label, default: []].append(row.subject)
      }
      ofProgram[row.subject, default: []].append(place)
      if let end = row.end { nextExpiry = min(nextExpiry ?? end, end) }
    }
  }
}

// MARK: - Unused capabilities

extension DashboardData {
  /// Whether a program has ever asked for the capability, or anything is decided about it.
  func isUsed(_ capability: CapabilityRow) -> Bool {
    CapabilitySummary(
      capability: capability.id, allowed: count(of: capability.id, .allow),
      denied: count(of: capability.id, .deny), waiting: waiting(for: capability.id).count,
      lastAsked: capability.lastAsked
    ).isUsed
  }

  /// Whether a program waits for the capability, or anything is decided about it now.
  func isOpen(_ capability: CapabilityRow) -> Bool {
    !waiting(for: capability.id).isEmpty
      || Verdict.allCases.contains { count(of: capability.id, $0) > 0 }
  }

  /// The capabilities that lists fold into one line, in the order of their titles.
  var absent: [CapabilityRow] {
    capabilities.folded(isAbsent: { $0.unavailability != nil }, isUsed: isUsed).sorted { $0.title < $1.title }
  }
}
