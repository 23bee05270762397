/// The rows of the journal, the newest first.
struct JournalList {
  let desk: Desk

  static let columns = [
    Column(title: "When", width: 14), Column(title: "What happened", width: 16),
    Column(title: "Program", width: 15, weight: 1), Column(title: "Capability", width: 15, weight: 1),
    Column(title: "By", width: 16, weight: 2, isOptional: true),
  ]

  func row(_ id: Int64) -> ListRow {
    guard let row = desk.data.journalRow(id) else { return ListRow([]) }
    let typesetter = desk.typesetter
    let role: Style.Role =
      row.kind.hasPrefix("allowed")
      ? .allowed : row.kind.hasPrefix("denied") || row.kind == "refused" ? .denied : .normal
    return ListRow([
      TextLine.Span(desk.short(row.at), .muted),
      TextLine.Span(row.kind, role), TextLine.Span(typesetter.visible(row.program)),
      TextLine.Span(typesetter.visible(row.what)), TextLine.Span(typesetter.visible(row.detail), .muted),
    ])
  }
}

extension DashboardData {
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
}
