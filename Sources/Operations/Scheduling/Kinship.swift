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
  init?(_ admission: Admission) {
    let isStranger = admission.options.lease == nil && admission.beneficiary == nil && admission.parent == nil
    if isStranger && !admission.isChild { return nil }
    isChild = admission.isChild
    parent = admission.parent
    beneficiary = admission.beneficiary
    lease = admission.options.lease
    usesLease = admission.options.usesLease
  }
}
