import PermModel

/// Everything that the screen shows and did not make itself, at one moment.
///
/// An adapter fills it from the store, the catalogue and the scheduler. What views look up while they draw is
/// indexed here, once for each change, so that a key costs the same with a hundred thousand decisions.
struct DashboardData: Sendable {
  var capabilities: [CapabilityRow] = []
  private(set) var decisions: [DecisionRow] = []
  var waiting: [WaitingItem] = []
  var operations: [OperationRow] = []
  /// The newest first.
  var journal: [JournalRow] = []
  /// What `undo` would take back, for example `denied camera for video-chat`; `nil` if there is nothing.
  var undoable: String?
  /// Since when everything new is denied and all allows are suspended; `nil` in ordinary times.
  var panicSince: Timestamp?
  /// One or two words on whether programs can reach this dashboard, for example `listening`.
  var connection = ""
  /// False until the store has been read for the first time.
  var isLoaded = false
  /// False until it is known what this machine has.
  var isProbed = false

  private var index = DecisionIndex()

  /// Every program that something was decided for, in the order of its first decision.
  var programs: [Subject] { index.programs }

  /// The first moment at which a decision ends by itself; `nil` if none does.
  var nextExpiry: Timestamp? { index.nextExpiry }

  var allowedCount: Int { index.allowedCount }
  var deniedCount: Int { decisions.count - index.allowedCount }

  /// Replaces the decisions and everything that is looked up in them.
  ///
  /// - Complexity: O(*n*).
  mutating func setDecisions(_ decisions: [DecisionRow]) {
    self.decisions = decisions
    index = DecisionIndex(decisions)
  }

  /// Takes out what has ended: an expired decision counts for nothing from its moment on.
  ///
  /// - Returns: whether there was anything.
  mutating func dropExpired(at moment: Timestamp) -> Bool {
    guard let nextExpiry, nextExpiry <= moment else { return false }
    setDecisions(decisions.filter { $0.holds(at: moment) })
    return true
  }
}

extension DashboardData {
  func capability(_ id: String) -> CapabilityRow? { capabilities.first { $0.id == id } }

  /// The programs that may use the capability, and those that may not, in the order in which that was decided.
  func decisions(about capability: String, _ verdict: Verdict) -> some Collection<DecisionRow> {
    let places = index.ofCapability[capability]
    return ((verdict == .allow ? places?.allowed : places?.denied) ?? []).lazy.map { decisions[$0] }
  }

  /// All decisions about one capability: what is allowed, then what is denied.
  func decisions(about capability: String) -> [DecisionRow] {
    Array(decisions(about: capability, .allow)) + Array(decisions(about: capability, .deny))
  }

  func decisions(for program: Subject) -> [DecisionRow] {
    (index.ofProgram[program] ?? []).map { decisions[$0] }
  }

  func decision(_ id: DecisionRow.ID) -> DecisionRow? {
    (index.ofProgram[id.subject] ?? []).lazy.map { decisions[$0] }.first { $0.id == id }
  }

  /// The requests that wait for one capability.
  func waiting(for capability: String) -> [WaitingItem] {
    waiting.filter { $0.request?.capability == capability }
  }
}

/// Where the decisions about a capability or for a program are.
private struct DecisionIndex: Sendable {
  struct Places: Sendable {
    var allowed: [Int] = []
    var denied: [Int] = []
  }

  private(set) var ofCapability: [String: Places] = [:]
  private(set) var ofProgram: [Subject: [Int]] = [:]
  private(set) var programs: [Subject] = []
  private(set) var nextExpiry: Timestamp?
  private(set) var allowedCount = 0

  init() {}

  init(_ decisions: [DecisionRow]) {
    for (place, row) in decisions.enumerated() {
      if row.verdict == .allow {
        allowedCount += 1
        ofCapability[row.capability, default: Places()].allowed.append(place)
      } else {
        ofCapability[row.capability, default: Places()].denied.append(place)
      }
      if ofProgram[row.subject, default: []].isEmpty { programs.append(row.subject) }
      ofProgram[row.subject, default: []].append(place)
      if let end = row.end { nextExpiry = min(nextExpiry ?? end, end) }
    }
  }
}
