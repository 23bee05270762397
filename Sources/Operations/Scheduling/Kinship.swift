/// What an operation has from others: a child from its parent, a remedy from the operation that it is for.
final class Kinship: Sendable {
  /// It runs inside another operation's place.
  let isChild: Bool
  /// The operation that waits for it as its child.
  let parent: OperationReference?
  /// The operation that it is a remedy for.
  let beneficiary: OperationReference?
  let lease: ExclusionLease?
  /// Whether it may use what its lease stands for; otherwise it must not wait for that either.
  let usesLease: Bool

  /// `nil` for an operation that has nothing from others.
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
