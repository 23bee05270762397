import PermModel

/// The result of one look at the store, with the data that every view shows: counts, the first decisions, and waiting
/// requests. It takes the same time however much is stored.
struct StoreReading: Sendable {
  /// The number of decisions read for each capability and verdict: as many as the details of a large screen show.
  static let firstDecisions = 64

  let overview: Overview
  let waiting: [WaitingRequest]
  /// The fit of each waiting program's name with earlier decisions.
  let identities: [Subject: IdentityCheck]

  /// - Parameter names: The number of decisions read for each capability and verdict.
  init(_ store: any PermissionStore, names: Int = firstDecisions) throws(StoreError) {
    overview = try store.overview(names: names)
    waiting = try store.waitingRequests()
    var identities: [Subject: IdentityCheck] = [:]
    for request in waiting.map(\.request) where identities[request.subject] == nil {
      identities[request.subject] = try IdentityCheck(of: request, in: store)
    }
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

  /// Returns the first decisions of each capability, without those that a scope has in full.
  func decisions(beside scope: DecisionScope) -> [Decision] {
    overview.capabilities.filter { !scope.covers(.capability($0.capability)) }
      .flatMap { $0.firstAllowed + $0.firstDenied }
      .filter { !scope.covers(.program($0.subject)) }
  }
}
