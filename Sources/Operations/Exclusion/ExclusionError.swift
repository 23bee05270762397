/// Why a category cannot be had.
public enum ExclusionError: Error, Equatable, CustomStringConvertible {
  /// An operation that this one is a child of holds the category, and its lease was not passed on.
  case heldByAncestor(category: ExclusionCategory)
  /// The operation whose lease was given has ended.
  case leaseEnded
  /// The lease is of another scheduler than the queue's.
  case leaseOfAnotherScheduler

  public var description: String {
    switch self {
    case .heldByAncestor(let category):
      "“\(category)” is held by an operation that waits for this one. Pass its lease on: run the child with `context.run`."
    case .leaseEnded:
      "The lease has ended with the operation that held it. A lease is good while that operation executes."
    case .leaseOfAnotherScheduler:
      "The lease is of another exclusion scheduler than this queue's."
    }
  }
}
