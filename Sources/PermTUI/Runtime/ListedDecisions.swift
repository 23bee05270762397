import PermModel

/// The decisions that the open view lists. They are read in full once, and then kept up to date with the
/// entries of the journal.
struct ListedDecisions: Sendable {
  /// The number of decisions to read in one call. It is limited so that other readers never wait long.
  private static let page = 1_000
  /// The number of changes above which reading all decisions again is less work than applying the changes.
  static let fewChanges = 50

  let scope: DecisionScope
  private(set) var decisions: [Decision] = []

  /// Reads all decisions of a scope.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; errors of the store.
  init(_ scope: DecisionScope, in store: any PermissionStore) async throws {
    self.scope = scope
    guard scope != .first else { return }
    var page: [Decision]
    repeat {
      page = try store.decisions(scope.filter, order: scope.order, after: decisions.last, limit: Self.page)
      decisions += page
      await Task.yield()
      try Task.checkCancellation()
    } while page.count == Self.page
  }

  /// Applies the changes that journal entries describe. Applying an entry twice does no harm.
  ///
  /// - Complexity: O(*n*) for each entry that changes a decision.
  mutating func apply(_ entries: [JournalEntry]) {
    for entry in entries {
      guard let decision = entry.after ?? entry.before, scope.filter.matches(decision), scope != .first else {
        continue
      }
      decisions.removeAll { $0.key == decision.key }
      if let after = entry.after { decisions.insert(after, at: place(of: after)) }
    }
  }

  private func place(of decision: Decision) -> Int {
    var low = 0
    var high = decisions.count
    while low < high {
      let middle = (low + high) / 2
      if scope.order.comes(decisions[middle], before: decision) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension DecisionScope {
  fileprivate var filter: DecisionFilter {
    switch self {
    case .first, .all: DecisionFilter()
    case .capability(let name): DecisionFilter(capability: name)
    case .program(let subject): DecisionFilter(subject: subject)
    }
  }

  /// The order of the list. The decisions about one capability are in the order `.capability`, so that allow decisions
  /// come before deny decisions.
  fileprivate var order: DecisionOrder {
    if case .capability = self { .capability } else { .program }
  }
}
