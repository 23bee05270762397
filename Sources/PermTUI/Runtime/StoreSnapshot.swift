import PermModel

/// The stored data that every view shows: counts, the first decisions, and the waiting requests. The time to read the
/// data does not depend on how many decisions are stored.
struct StoreSnapshot: Sendable {
  /// The number of decisions read for each capability and verdict: as many as fit on a large screen.
  static let firstDecisions = 64

  let overview: Overview
  /// The denials for everyone, which affect what each program may do.
  let everyone: [Decision]
  var waiting: [StoredRequest] { overview.waiting }
  /// For each waiting program, the result of checking its name and file against earlier decisions.
  let identities: IdentityChecks

  /// - Parameters:
  ///   - names: The number of decisions read for each capability and verdict.
  ///   - last: An earlier snapshot, and what was journalled since; `nil` to read everything.
  init(
    _ store: any PermissionStore, names: Int = firstDecisions,
    after last: (snapshot: Self, entries: [JournalEntry])? = nil
  ) throws(StoreError) {
    overview = try store.overview(names: names)
    everyone = try store.decisions(DecisionFilter(subject: .everyone))
    var identities = last?.snapshot.identities ?? IdentityChecks()
    try identities.check(overview.waiting.lazy.map(\.request), after: last?.entries ?? [], in: store)
    self.identities = identities
  }

  var lastAsked: [String: Timestamp] {
    overview.capabilities.reduce(into: [:]) { $0[$1.capability] = $1.lastAsked }
  }

  var counts: [String: DecisionCounts] {
    overview.capabilities.reduce(into: [:]) { counts, row in
      counts[row.capability] = DecisionCounts(allowed: row.allowed, denied: row.denied)
    }
  }

  /// Returns the first decisions about each capability and all decisions for everyone, without those that `scope`
  /// covers: they are read separately.
  func decisions(beside scope: DecisionScope) -> [Decision] {
    let first = overview.capabilities.flatMap { $0.firstAllowed + $0.firstDenied }
    return (first.filter { !$0.subject.isEveryone } + everyone).filter { decision in
      !scope.covers(.capability(decision.atom.capability)) && !scope.covers(.program(decision.subject))
    }
  }
}
