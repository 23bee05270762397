import PermModel

/// The decisions about values for one program and one capability, as a single row of a list.
struct ValueGroup: Sendable {
  /// The greatest number of decisions that are listed one by one without being asked for.
  static let mostRows = 4

  let id: DecisionNews.ID
  let rows: [DecisionRow]

  /// A row of a list of decisions.
  enum Entry: Sendable {
    case decision(DecisionRow)
    case group(ValueGroup)
  }

  /// Returns decisions in their order, except that the decisions of each large group are a single entry.
  ///
  /// - Complexity: O(*n*).
  static func entries(of rows: some Sequence<DecisionRow>) -> [Entry] {
    let rows = Array(rows)
    let groups = Dictionary(grouping: rows, by: \.id.news).filter {
      $1.count > mostRows && $1.contains(where: \.isAboutValues)
    }
    var listed: Set<DecisionNews.ID> = []
    return rows.compactMap { row in
      guard let members = groups[row.id.news] else { return .decision(row) }
      return listed.insert(row.id.news).inserted ? .group(ValueGroup(id: row.id.news, rows: members)) : nil
    }
  }

  var decidedAt: Timestamp? { rows.lazy.map(\.decidedAt).max() }

  /// The number of values, and how many of them are denied.
  var words: String {
    let denied = rows.lazy.filter { $0.verdict == .deny }.map(\.atoms.count).reduce(0, +)
    let count = rows.lazy.map(\.atoms.count).reduce(0, +)
    return "\(count) values" + (denied > 0 ? ", \(denied) denied" : "")
  }
}

extension DecisionRow {
  /// Whether the decision is about certain values only.
  var isAboutValues: Bool { atoms.contains { $0.scope != .any } }
}

extension DashboardData {
  /// Returns the decisions for a program about a capability.
  func group(_ id: DecisionNews.ID) -> ValueGroup {
    ValueGroup(id: id, rows: decisions(for: id.subject).filter { $0.capability == id.capability })
  }
}
