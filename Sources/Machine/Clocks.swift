import Glibc

/// The clocks of the machine.
package enum SystemClock: Sendable {
  /// Since 1970-01-01 00:00 UTC. It can be set.
  case wall
  /// Since boot, including suspended time.
  case boot
  /// Since boot, without suspended time.
  case monotonic

  package var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(id, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  package var microseconds: Int64 { nanoseconds / 1_000 }
  package var milliseconds: Int64 { nanoseconds / 1_000_000 }

  private var id: clockid_t {
    switch self {
    case .wall: CLOCK_REALTIME
    case .boot: CLOCK_BOOTTIME
    case .monotonic: CLOCK_MONOTONIC
    }
  }

  /// The unit in which the kernel reports a process's start time.
  package static var nanosecondsPerTick: Int64 { 1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))) }

  /// The kernel's random id of this boot; empty if `/proc` is missing, so that all boots count as one.
  package static func bootID() -> String {
    Files.text(of: "/proc/sys/kernel/random/boot_id").map { String($0.prefix { !$0.isNewline }) } ?? ""
  }
}
