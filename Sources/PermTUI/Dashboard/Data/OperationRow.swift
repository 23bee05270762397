import Operations
import PermModel

/// An operation that holds an exclusion category or waits for one.
struct OperationRow: Identifiable, Hashable, Sendable {
  /// An id of the row, not of the operation, because an operation that concerns two categories has two rows.
  var id: String
  var category: String
  var operation: String
  var isHolding: Bool
  /// The time at which the operation began to hold the category or to wait for it.
  var since: Timestamp
  /// The reason why the operation waits, in words; empty if it holds the category.
  var why: String
}

extension OperationRow {
  /// Returns the rows category by category: first the operation that holds the category, then those that wait for it.
  static func rows(of snapshot: ExclusionSnapshot, at now: Timestamp) -> [OperationRow] {
    snapshot.lines.flatMap { line in
      let category = line.lender.map { "\(line.category), lent by \($0.name)" } ?? line.category.name
      let holder = line.holder.map { OperationRow($0, at: category, isHolding: true, now) }
      return [holder].compactMap(\.self)
        + line.waiters.map { OperationRow($0, at: category, isHolding: false, now) }
    }
  }

  private init(
    _ entry: ExclusionSnapshot.Entry, at category: String, isHolding: Bool, _ now: Timestamp
  ) {
    self.init(
      id: "\(category) \(entry.operation.id)", category: category, operation: entry.operation.name,
      isHolding: isHolding, since: now + (.zero - entry.duration), why: isHolding ? "" : entry.reason)
  }
}
