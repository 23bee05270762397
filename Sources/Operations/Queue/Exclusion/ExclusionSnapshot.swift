/// The holders and waiters of each category at one point in time.
public struct ExclusionSnapshot: Sendable {
  /// The line for a category, or the line of operations that use the category through its holder's lease.
  public struct Line: Sendable {
    public let category: ExclusionCategory
    /// The operation whose lease is used by the operations in this line; `nil` for the category's own line.
    public let lender: OperationReference?
    /// The operation that holds the category; `nil` while the first operation in the line waits for another category.
    public let holder: Entry?
    /// The waiting operations, from first to last in the line.
    public let waiters: [Entry]
  }

  /// An operation in a line.
  public struct Entry: Sendable {
    public let operation: OperationReference
    /// The time that the operation had spent holding or awaiting the category when the snapshot was taken.
    public let duration: Duration
    /// A description of what the operation is doing or waiting for.
    public let reason: String
  }

  /// The lines that are not empty, sorted by category name.
  public let lines: [Line]

  /// The category's own line; `nil` if the category is not in use.
  public subscript(category: ExclusionCategory) -> Line? {
    lines.first { $0.category == category && $0.lender == nil }
  }
}
