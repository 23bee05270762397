/// Options for adding an operation, besides its conditions and dependencies.
public struct OperationOptions: Sendable {
  /// The operation's priority. If it is `nil`, a child has its parent's priority, and any other operation has
  /// the priority `normal`.
  public var priority: OperationPriority?
  /// The limits on how long the operation may wait and execute.
  public var deadlines: Deadlines
  /// Additional observers. They are notified after the operation's own observers.
  public var observers: [any OperationObserver]
  /// Proof that the operation runs on behalf of another one that holds categories, and is therefore allowed to use
  /// these categories too. If this property is `nil`, a child has its parent's lease.
  public var lease: ExclusionLease?
  /// Whether the operation is allowed to use the lease. If it is not, it fails with `ExclusionError.heldByAncestor` as
  /// soon as it needs a category that an ancestor holds.
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

/// An operation's precedence over others that wait in the same line.
///
/// Operations of higher priority overtake those of lower priority, but each operation can be overtaken only a limited
/// number of times.
public enum OperationPriority: UInt8, Sendable, CaseIterable, Comparable {
  case veryLow
  case low
  case normal
  case high
  case veryHigh

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
