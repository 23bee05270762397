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
      let name = words(for: line.category)
      let category = line.lender.map { "\(name), lent by \($0.name)" } ?? name
      let holder = line.holder.map { OperationRow($0, at: category, isHolding: true, now) }
      return [holder].compactMap(\.self)
        + line.waiters.map { OperationRow($0, at: category, isHolding: false, now) }
    }
  }

  /// Returns a category's name as the view shows it. Alerts wait for the screen.
  private static func words(for category: ExclusionCategory) -> String {
    category == ModalSlot.category ? screen : category.name
  }

  /// The words for the category that every alert holds while it is shown.
  static let screen = "the screen"

  private init(
    _ entry: ExclusionSnapshot.Entry, at category: String, isHolding: Bool, _ now: Timestamp
  ) {
    let reason = entry.reason.replacing("“\(ModalSlot.category.name)”", with: Self.screen)
    self.init(
      id: "\(category) \(entry.operation.id)", category: category, operation: entry.operation.name,
      isHolding: isHolding, since: now + (.zero - entry.duration), why: isHolding ? "" : reason)
  }
}
