import PermModel

/// One operation at an exclusion category: it holds it, or waits for it.
struct OperationRow: Identifiable, Hashable, Sendable {
  /// Unique among the rows: an operation at two categories is two rows.
  var id: String
  var category: String
  var operation: String
  var isHolding: Bool
  /// Since when it has held or waited.
  var since: Timestamp
  /// Why it waits, in words; empty for a holder.
  var why: String
}
