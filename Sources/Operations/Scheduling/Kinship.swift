/// An operation's relations to others: a child's to its parent, a remedy's to the operation that it is for.
final class Kinship: Sendable {
  /// Whether it runs inside another operation's place.
  let isChild: Bool
  /// The operation that waits for it as its child.
  let parent: OperationReference?
  /// The operation that it is a remedy for.
  let beneficiary: OperationReference?
  let lease: ExclusionLease?
  /// Whether it may use its lease's categories; if not, it must not wait for them either.
  let usesLease: Bool

  /// Returns `nil` for an operation without relations.
  init?(_ options: OperationOptions) {
    let isStranger = options.lease == nil && options.beneficiary == nil && options.parent == nil
    if isStranger && !options.isChild { return nil }
    isChild = options.isChild
    parent = options.parent
    beneficiary = options.beneficiary
    lease = options.lease
    usesLease = options.usesLease
  }
}
