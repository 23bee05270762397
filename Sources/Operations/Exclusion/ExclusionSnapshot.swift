/// Who held and who waited for which category at a moment.
public struct ExclusionSnapshot: Sendable {
  /// One category, or its use by those who have its holder's lease.
  public struct Line: Sendable {
    public let category: ExclusionCategory
    /// The operation whose lease this line is for; `nil` for the category's own line.
    public let lender: OperationReference?
    /// Who holds it; `nil` while the first waits for another category.
    public let holder: Entry?
    /// Who waits, in the order in which they will get it.
    public let waiters: [Entry]
  }

  /// An operation that stands in a line.
  public struct Entry: Sendable {
    public let operation: OperationReference
    /// How long it had held the category, or waited for it.
    public let duration: Duration
    /// Why it is there, in words: what it does or what it waits for.
    public let reason: String
  }

  /// The lines in which somebody stands, by category.
  public let lines: [Line]

  /// The category's own line; `nil` if nobody wants it.
  public subscript(category: ExclusionCategory) -> Line? {
    lines.first { $0.category == category && $0.lender == nil }
  }
}
