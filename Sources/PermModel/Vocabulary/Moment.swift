/// The facts that determine whether a lifetime is over: the time on both clocks, the session, and the running
/// processes.
///
/// These facts are recorded once for each access to the store, so that everything in one result is judged by
/// the same facts.
package struct Moment: Sendable {
  package var wall: Timestamp
  /// The id of the boot to which `bootTime` refers.
  package var bootID: String
  /// The time since the machine was booted, in microseconds, including times when the machine was suspended.
  package var bootTime: Int64
  /// Returns the random id of the current session. Called only if a decision depends on the session.
  package var session: @Sendable () -> String
  /// Returns whether a process is still running. Called only if a decision or request depends on the process.
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
  /// Creates the lifetime for a choice that is made at this moment. A duration becomes a deadline, and a
  /// session gets its id.
  ///
  /// - Parameter process: The program's process, which is needed for ``LifetimeChoice/process``.
  /// - Returns: `nil` for ``LifetimeChoice/once``, which is never kept, and for ``LifetimeChoice/process`` if
  ///   no process is given.
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

  /// Returns the time at which the lifetime ended, on the wall clock as it is set now; `nil` if the lifetime
  /// has not ended.
  ///
  /// For a session or a process, this is the current time, because the actual time of its end is not known.
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
  /// Whether the decision is still in effect. No store may determine this in any other way.
  package func isInForce(at moment: Moment) -> Bool { end(asOf: moment) == nil }

  /// Returns the time at which the decision ended, because its lifetime is over or its program's sandbox is
  /// gone; `nil` if the decision has not ended.
  func end(asOf moment: Moment) -> Timestamp? {
    if let end = lifetime.end(asOf: moment) { return end }
    guard let sandbox = subject.sandbox else { return nil }
    return moment.isRunning(sandbox.process) ? nil : moment.wall
  }
}

// Times and durations that come from outside this process can be arbitrary numbers. A result outside the range of
// `Int64` is replaced by the nearest end of that range, which is so far away that the difference does not matter.

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
