import Machine

extension StoreEnvironment {
  /// The clocks, sessions and processes of this machine.
  ///
  /// - Parameter sessionFolder: The folder that keeps the session's random id while the person is logged in, usually
  ///   `$XDG_RUNTIME_DIR/permtui`; if it is missing or unusable, a session lasts as long as a boot.
  public static func linux(sessionFolder: String?) -> StoreEnvironment {
    let bootID = SystemClock.bootID()
    let session = SessionFile(folder: sessionFolder, fallback: bootID)
    return StoreEnvironment(
      now: {
        Moment(
          wall: .now, bootID: bootID, bootTime: SystemClock.boot.microseconds, session: session.id,
          isRunning: ProcessIdentity.isRunning)
      },
      makeID: RandomID.make, thisProcess: .current,
      untilEnd: { lifetime in
        switch lifetime {
        case .process(let process): await process.untilEnd()
        case .session(let id): await session.untilEnd(of: id)
        case .until, .forever: false
        }
      })
  }
}

extension ProcessIdentity {
  /// The process that this code runs in.
  static var current: ProcessIdentity {
    let stat = ProcessStat(of: ProcessHandle.own)
    return ProcessIdentity(pid: ProcessHandle.own, startTime: stat?.startTime ?? 0)
  }

  /// Whether this very process is still running, rather than a later one with the same number.
  @Sendable static func isRunning(_ process: ProcessIdentity) -> Bool {
    ProcessStat(of: process.pid).map { $0.isRunning && $0.startTime == process.startTime } ?? false
  }

  /// Waits until this very process has ended, and returns whether it has: `false` if the kernel cannot say, or the task
  /// is cancelled.
  func untilEnd() async -> Bool {
    let handle = ProcessHandle(pid)
    // Checked after the handle is made, because the handle refers to whichever process had the number at that time.
    guard Self.isRunning(self) else { return true }
    return await handle?.untilEnd() ?? false
  }
}
