import Machine

extension StoreEnvironment {
  /// Returns an environment that uses the clocks, sessions and processes of this machine.
  ///
  /// - Parameter sessionFolder: The folder that keeps the session's random ID while the person is logged in, usually
  ///   `$XDG_RUNTIME_DIR/permtui`. If the folder is missing or unusable, a session lasts until the next reboot.
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
  /// The process in which this code runs.
  static var current: ProcessIdentity {
    let stat = ProcessStat(of: ProcessHandle.own)
    return ProcessIdentity(pid: ProcessHandle.own, startTime: stat?.startTime ?? 0)
  }

  /// Whether this exact process is still running, and not a later process with the same process ID.
  @Sendable static func isRunning(_ process: ProcessIdentity) -> Bool {
    ProcessStat(of: process.pid).map { $0.isRunning && $0.startTime == process.startTime } ?? false
  }

  /// Waits until this process has ended, and then returns `true`. Returns `false` if the kernel cannot report the end
  /// of the process, or if the waiting task is cancelled.
  func untilEnd() async -> Bool {
    let handle = ProcessHandle(pid)
    // This check must follow the creation of the handle. If this process is still running now, the handle refers to it,
    // and not to a later process with the same ID.
    guard Self.isRunning(self) else { return true }
    return await handle?.untilEnd() ?? false
  }
}
