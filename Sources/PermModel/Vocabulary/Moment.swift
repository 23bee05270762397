/// The facts that decide whether a lifetime is over: both clocks, the session, and the running processes.
///
/// It is taken once for each look at the store, so that everything in one answer is judged alike.
package struct Moment: Sendable {
  package var wall: Timestamp
  /// The boot in which `bootTime` counts.
  package var bootID: String
  /// Microseconds since that boot, suspended time included.
  package var bootTime: Int64
  /// Returns the random id of the current session. Called only if a decision depends on it.
  package var session: @Sendable () -> String
  /// Whether a process is still running. Called only if a decision or request depends on it.
  package var isRunning: @Sendable (ProcessIdentity) -> Bool

  package init(
    wall: Timestamp, bootID: String, bootTime: Int64, session: @escaping @Sendable () -> String,
    isRunning: @escaping @Sendable (ProcessIdentity) -> Bool
  ) {
    self.wall = wall
    self.bootID = bootID
    self.bootTime = bootTime
    self.session = session
    self.isRunning = isRunning
  }
}

extension Lifetime {
  /// Ties a choice to this moment: a duration becomes a deadline, and a session gets its id.
  ///
  /// - Parameter process: the program's process, for ``LifetimeChoice/process``.
  /// - Returns: `nil` for ``LifetimeChoice/once``, which is never kept, and for ``LifetimeChoice/process`` without one.
  package init?(_ choice: LifetimeChoice, at moment: Moment, process: ProcessIdentity? = nil) {
    switch choice {
    case .once: return nil
    case .process:
      guard let process else { return nil }
      self = .process(process)
    case .session: self = .session(moment.session())
    case .duration(let duration): self = .until(Deadline(in: duration, from: moment))
    case .until(let wall): self = .until(Deadline(in: wall - moment.wall, from: moment))
    case .forever: self = .forever
    }
  }

  /// When the lifetime ended, in the wall clock's current time; `nil` if it has not ended.
  ///
  /// The end of a session or process counts from the moment it is noticed.
  package func end(asOf moment: Moment) -> Timestamp? {
    switch self {
    case .forever: nil
    case .session(let id): moment.session() == id ? nil : moment.wall
    case .process(let process): moment.isRunning(process) ? nil : moment.wall
    case .until(let deadline): deadline.end(asOf: moment)
    }
  }
}

extension Deadline {
  init(in duration: Duration, from moment: Moment) {
    self.init(
      wall: moment.wall + duration, bootID: moment.bootID,
      bootTime: moment.bootTime.addingClamped(duration.wholeMicroseconds))
  }

  func end(asOf moment: Moment) -> Timestamp? {
    if moment.wall >= wall { return wall }
    guard moment.bootID == bootID, moment.bootTime >= bootTime else { return nil }
    let passed = moment.bootTime.subtractingClamped(bootTime)
    return Timestamp(microseconds: moment.wall.microseconds.subtractingClamped(passed))
  }
}

extension Decision {
  /// Whether the decision still counts. Every store decides this here.
  package func isInForce(at moment: Moment) -> Bool { end(asOf: moment) == nil }

  /// When the decision ended, with its lifetime or with its program's sandbox; `nil` if it has not ended.
  func end(asOf moment: Moment) -> Timestamp? {
    if let end = lifetime.end(asOf: moment) { return end }
    guard let sandbox = subject.sandbox else { return nil }
    return moment.isRunning(sandbox.process) ? nil : moment.wall
  }
}

// A moment or a duration from outside may be any number. The ends of the range are so far away that a sum beyond them
// can be replaced by them.

extension Int64 {
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  package func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other > 0 ? .min : .max) : difference
  }

  package func multipliedClamped(by other: Int64) -> Int64 {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
