/// How an operation is added, beside its conditions and what it is added after.
public struct OperationOptions: Sendable {
  /// `nil` for a child's parent's priority, and for `normal` otherwise.
  public var priority: OperationPriority?
  /// The limits for its waiting and its work.
  public var deadlines: Deadlines
  /// Observers beside the operation's own, told after them.
  public var observers: [any OperationObserver]
  /// Proof that it is done on behalf of an operation that holds categories: it may use them too. A child has its
  /// parent's unless another is given.
  public var lease: ExclusionLease?
  /// Whether it may use the lease. Without it, a child that needs what an ancestor holds fails at once with
  /// `ExclusionError.heldByAncestor`.
  public var usesLease: Bool

  public init(
    priority: OperationPriority? = nil, deadlines: Deadlines = .none, observers: [any OperationObserver] = [],
    lease: ExclusionLease? = nil, usesLease: Bool = true
  ) {
    self.priority = priority
    self.deadlines = deadlines
    self.observers = observers
    self.lease = lease
    self.usesLease = usesLease
  }
}

/// How soon an operation gets its turn, compared with others that wait for the same thing.
///
/// A higher priority overtakes a lower one, but nobody is overtaken more than a fixed number of times.
public enum OperationPriority: UInt8, Sendable, CaseIterable, Comparable {
  case veryLow
  case low
  case normal
  case high
  case veryHigh

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
