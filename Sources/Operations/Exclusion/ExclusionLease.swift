/// Proof that work is done on behalf of an operation that holds categories: it may use them too, one descendant at
/// a time.
///
/// A lease is passed on explicitly, from an operation's context to the operations that it runs or adds.
public struct ExclusionLease: Sendable {
  let scheduler: ExclusionScheduler
  let ticket: SlotID
}
