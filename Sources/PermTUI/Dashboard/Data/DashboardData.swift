import PermModel

/// Everything on the screen that comes from outside it, at one moment.
///
/// An adapter fills it from the store, the catalogue and the scheduler. It has the counts of all decisions, the first
/// few about each capability, and those that the open view lists. They are indexed here once for each change, so a key
/// costs the same with a hundred thousand decisions.
struct DashboardData: Sendable {
  var capabilities: [CapabilityRow] = []
  private(set) var decisions: [DecisionRow] = []
  /// The scope within which all decisions are here.
  private(set) var scope = DecisionScope.first
  var waiting: [WaitingItem] = [] {
    didSet { waitingFor = Dictionary(grouping: waiting) { $0.request?.capability ?? "" } }
  }
  var operations: [OperationRow] = []
  /// The entries that were read, the newest first.
  var journal: [JournalRow] = []
  /// The moment since which everything new is denied and all allows are suspended; `nil` in ordinary times.
  var panicSince: Timestamp?
  /// One or two words on whether programs can reach this dashboard, for example `listening`.
  var connection = ""
  /// False until the store has been read for the first time.
  var isLoaded = false
  /// False until the probes have reported what this machine has.
  var isProbed = false

  private var waitingFor: [String: [WaitingItem]] = [:]
  private var index = DecisionIndex([])
  private var counts: [String: DecisionCounts] = [:]
  /// The first end of a decision that may not have been read.
  private var nextEnd: Timestamp?

  /// Every program among the decisions, ordered by its first decision.
  var programs: [Subject] { index.programs }

  /// The first moment at which a decision ends by itself; `nil` if none does.
  var nextExpiry: Timestamp? { [index.nextExpiry, nextEnd].compactMap(\.self).min() }

  var allowedCount: Int { counts.values.reduce(0) { $0 + $1.allowed } }
  /// The number of programs that are allowed something, in words that also say whether this holds now.
  var allowedWords: String { "\(allowedCount) \(panicSince == nil ? "allowed" : "suspended")" }
  var deniedCount: Int { counts.values.reduce(0) { $0 + $1.denied } }

  /// Replaces the decisions that were read, and their index.
  ///
  /// - Parameters:
  ///   - scope: The scope of which all decisions are given.
  ///   - counts: The programs of each capability, read or not.
  ///   - nextEnd: The first end of a decision, read or not.
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
  }

  /// Removes decisions that have ended, and returns whether there were any. They count for nothing any longer.
  mutating func dropExpired(at moment: Timestamp) -> Bool {
    guard let nextExpiry, nextExpiry <= moment else { return false }
    let left = decisions.filter { $0.holds(at: moment) }
    let later = nextEnd.flatMap { $0 > moment ? $0 : nil }
    setDecisions(left, in: scope, counts: counts(without: decisions, keeping: left), nextEnd: later)
    return true
  }
}

extension DashboardData {
  /// Returns the counts after some of the decisions that were read have ended.
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

  func capability(_ id: String) -> CapabilityRow? { capabilities.first { $0.id == id } }

  func operation(_ id: String) -> OperationRow? { operations.first { $0.id == id } }

  /// Returns the line of the journal with this number.
  ///
  /// - Complexity: O(log *n*): the journal is ordered by number, the newest first.
  func journalRow(_ id: Int64) -> JournalRow? {
    var low = 0
    var high = journal.count
    while low < high {
      let middle = (low + high) / 2
      if journal[middle].id > id { low = middle + 1 } else { high = middle }
    }
    return low < journal.count && journal[low].id == id ? journal[low] : nil
  }

  /// Returns the number of programs that may, or may not, use the capability.
  func count(of capability: String, _ verdict: Verdict) -> Int { counts[capability]?[verdict] ?? 0 }

  /// Returns the number of decisions about the capability, or of programs if not all decisions were read.
  func count(about capability: String) -> Int {
    scope.covers(.capability(capability))
      ? decisions(about: capability).count
      : count(of: capability, .allow) + count(of: capability, .deny)
  }

  /// Returns the decisions that allow the capability, or deny it, as far as they were read.
  func decisions(about capability: String, _ verdict: Verdict) -> some RandomAccessCollection<DecisionRow> {
    (index.ofCapability[capability]?[verdict] ?? []).lazy.map { decisions[$0] }
  }

  /// Returns the decisions about one capability, as far as they were read: allows, then denials.
  func decisions(about capability: String) -> some RandomAccessCollection<DecisionRow> {
    let places = index.ofCapability[capability] ?? [:]
    return ((places[.allow] ?? []) + (places[.deny] ?? [])).lazy.map { decisions[$0] }
  }

  func decisions(for program: Subject) -> [DecisionRow] {
    (index.ofProgram[program] ?? []).map { decisions[$0] }
  }

  func decision(_ id: DecisionRow.ID) -> DecisionRow? {
    (index.ofProgram[id.subject] ?? []).lazy.map { decisions[$0] }.first { $0.id == id }
  }

  func waiting(for capability: String) -> [WaitingItem] { waitingFor[capability] ?? [] }
}

extension DecisionCounts {
  /// Returns the number of programs of each capability among the given decisions.
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

/// The places of the decisions by capability and by program.
private struct DecisionIndex: Sendable {
  private(set) var ofCapability: [String: [Verdict: [Int]]] = [:]
  private(set) var ofProgram: [Subject: [Int]] = [:]
  private(set) var programs: [Subject] = []
  private(set) var nextExpiry: Timestamp?

  init(_ decisions: [DecisionRow]) {
    for (place, row) in decisions.enumerated() {
      ofCapability[row.capability, default: [:]][row.verdict, default: []].append(place)
      if ofProgram[row.subject, default: []].isEmpty { programs.append(row.subject) }
      ofProgram[row.subject, default: []].append(place)
      if let end = row.end { nextExpiry = min(nextExpiry ?? end, end) }
    }
  }
}
