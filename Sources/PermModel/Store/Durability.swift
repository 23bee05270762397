/// The losses that a change survives once the call that makes it has returned.
package enum Durability: Sendable {
  /// The end of this process, but not a loss of power, which also ends every program that waits for an answer. The next
  /// change that is flushed takes this one to the disk with it.
  case processEnd
  /// Also a loss of power, because the change is on disk.
  case powerLoss
}
