/// A store's view of its surroundings: clocks, ids, and the life signs of sessions and processes.
public struct StoreEnvironment: Sendable {
  /// The present moment.
  package var now: @Sendable () -> Moment
  /// A random id that nobody can guess.
  package var makeID: @Sendable () -> String
  /// The process that this code runs in.
  package var thisProcess: ProcessIdentity
  /// Waits for the end of the process or session that a lifetime depends on, and returns whether it has ended. Returns
  /// `false` at once for lifetimes that end by the clock or never and for ends that cannot be noticed, and when the
  /// task is cancelled.
  package var untilEnd: @Sendable (Lifetime) async -> Bool

  package init(
    now: @escaping @Sendable () -> Moment, makeID: @escaping @Sendable () -> String,
    thisProcess: ProcessIdentity, untilEnd: @escaping @Sendable (Lifetime) async -> Bool = { _ in false }
  ) {
    self.now = now
    self.makeID = makeID
    self.thisProcess = thisProcess
    self.untilEnd = untilEnd
  }
}
