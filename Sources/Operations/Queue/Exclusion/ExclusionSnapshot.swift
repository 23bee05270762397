/// The holders and waiters of each category at one moment.
public struct ExclusionSnapshot: Sendable {
  /// The line for a category, or for its use by operations with its holder's lease.
  public struct Line: Sendable {
    public let category: ExclusionCategory
    /// The operation whose lease this line is for; `nil` for the category's own line.
    public let lender: OperationReference?
    /// The operation that holds it; `nil` while the first one waits for another category.
    public let holder: Entry?
    /// The waiting operations, in the order in which they will get it.
    public let waiters: [Entry]
  }

  /// An operation in a line.
  public struct Entry: Sendable {
    public let operation: OperationReference
    /// How long it had held the category or waited for it.
    public let duration: Duration
    /// An explanation of why it is there: what it does or what it waits for.
    public let reason: String
  }

  /// The lines that are not empty, by category.
  public let lines: [Line]

  /// The category's own line; `nil` if it is not in use.
  public subscript(category: ExclusionCategory) -> Line? {
    lines.first { $0.category == category && $0.lender == nil }
  }
}
