import CLinux
import Glibc

extension StoreEnvironment {
  /// The clocks, sessions and processes of this machine.
  ///
  /// - Parameter sessionFolder: where the session's random id is kept while the person is logged in, usually
  ///   `$XDG_RUNTIME_DIR/permtui`; without one, or where it cannot be used, a session lasts as long as a boot.
  public static func linux(sessionFolder: String?) -> StoreEnvironment {
    let bootID = LinuxClock.bootID()
    let session = SessionFile(folder: sessionFolder, fallback: bootID)
    return StoreEnvironment(
      now: {
        Moment(
          wall: LinuxClock.wall(), bootID: bootID, bootTime: LinuxClock.bootTime(), session: session.id,
          isRunning: ProcessTable.isRunning)
      },
      makeID: StoreEnvironment.randomID, thisProcess: ProcessTable.current(),
      untilEnd: { lifetime in
        switch lifetime {
        case .process(let process): await ProcessTable.untilEnd(of: process)
        case .session(let id): await session.untilEnd(of: id)
        case .until, .forever: false
        }
      })
  }
}

/// The clocks that lifetimes go by.
enum LinuxClock {
  static func wall() -> Timestamp { Timestamp(microseconds: read(CLOCK_REALTIME)) }

  /// Microseconds since boot, suspended time included.
  static func bootTime() -> Int64 { read(CLOCK_BOOTTIME) }

  /// The kernel's random id of this boot; empty where `/proc` is not there, so that all boots are one.
  static func bootID() -> String {
    SmallFile.text("/proc/sys/kernel/random/boot_id").map { String($0.prefix { !$0.isNewline }) } ?? ""
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
