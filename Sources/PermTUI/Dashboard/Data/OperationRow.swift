import Operations
import PermModel

/// An operation's hold on an exclusion category, or its wait for one.
struct OperationRow: Identifiable, Hashable, Sendable {
  /// Unique among the rows: an operation at two categories has two rows.
  var id: String
  var category: String
  var operation: String
  var isHolding: Bool
  /// The moment since which it has held or waited.
  var since: Timestamp
  /// The reason why it waits, in words; empty for a holder.
  var why: String
}

extension OperationRow {
  /// Returns the operations at every category, holders first.
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
