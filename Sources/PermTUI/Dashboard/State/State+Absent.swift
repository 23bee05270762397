import PermModel

extension State {
  /// Finds the capabilities that are folded into one row.
  mutating func findAbsent() {
    absent = desk.data.absent
  }

  /// The number of rows of the first view if no filter is set.
  var capabilityCount: Int {
    let folded = absent.count
    return desk.data.capabilities.count + (folded == 0 ? 0 : showsAbsent ? 1 : 1 - folded)
  }

  /// The rows of the first view. A filter searches each capability.
  var capabilityRows: [RowID] {
    let folded = list.isFiltered ? [] : Set(absent.map(\.id))
    let rows = desk.data.capabilities.filter { !folded.contains($0.id) }.map { RowID.capability($0.id) }
    return rows + (folded.isEmpty ? [] : [.absent])
  }

  /// Returns the rows with the single row for absent capabilities at their end, followed by those capabilities if the
  /// person has expanded it.
  func withAbsentLast(_ rows: [RowID]) -> [RowID] {
    guard rows.contains(.absent) else { return rows }
    let members = showsAbsent ? absent.map { RowID.capability($0.id) } : []
    return rows.filter { $0 != .absent && !members.contains($0) } + [.absent] + members
  }
}
