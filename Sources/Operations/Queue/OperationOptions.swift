/// Options for adding an operation, besides its conditions and dependencies.
public struct OperationOptions: Sendable {
  /// The operation's priority. If it is `nil`, a child has its parent's priority, and any other operation has `normal`.
  public var priority: OperationPriority?
  /// The limits on its waiting and its work.
  public var deadlines: Deadlines
  /// Observers in addition to the operation's own, notified after them.
  public var observers: [any OperationObserver]
  /// Proof that it runs on behalf of an operation that holds categories, so that it may use them too. A child has its
  /// parent's lease unless another one is given.
  public var lease: ExclusionLease?
  /// Whether it may use the lease. If not, a child that needs a category that an ancestor holds fails at once with
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

/// An operation's precedence over others that wait for the same thing.
///
/// A higher priority overtakes a lower one, but no operation is overtaken more than a fixed number of times.
public enum OperationPriority: UInt8, Sendable, CaseIterable, Comparable {
  case veryLow
  case low
  case normal
  case high
  case veryHigh

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
