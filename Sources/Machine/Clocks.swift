import Glibc

package enum SystemClock: Sendable {
  /// The time since 1970-01-01 00:00 UTC. This clock can be set.
  case wall
  /// The time since boot, including time during which the machine was suspended.
  case boot
  /// The time since boot, without time during which the machine was suspended.
  case monotonic

  /// The time in nanoseconds. For a wall clock that shows a moment after 11 April 2262, the highest number.
  package var nanoseconds: Int64 { count(ofUnitsPerSecond: 1_000_000_000) }
  package var microseconds: Int64 { count(ofUnitsPerSecond: 1_000_000) }
  package var milliseconds: Int64 { count(ofUnitsPerSecond: 1_000) }

  private func count(ofUnitsPerSecond units: Int64) -> Int64 {
    var time = timespec()
    clock_gettime(id, &time)
    return Self.count(ofUnitsPerSecond: units, Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// Returns a time as a number of units, rounded down and clamped to the numbers that there are.
  package static func count(ofUnitsPerSecond units: Int64, _ seconds: Int64, nanoseconds: Int64) -> Int64 {
    let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: units)
    let (sum, overflows) = whole.addingReportingOverflow(nanoseconds / (1_000_000_000 / units))
    return isTooLarge || overflows ? (seconds < 0 ? .min : .max) : sum
  }

  private var id: clockid_t {
    switch self {
    case .wall: CLOCK_REALTIME
    case .boot: CLOCK_BOOTTIME
    case .monotonic: CLOCK_MONOTONIC
    }
  }

  /// The length of a clock tick, the unit in which the kernel reports the start time of a process.
  package static var nanosecondsPerTick: Int64 { 1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))) }

  /// The number of processors that this machine uses now.
  package static var processorCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  /// Returns the random ID that the kernel gave to the machine's current boot. If `/proc` is missing, returns an empty
  /// string, which means that all boots are regarded as the same.
  package static func bootID() -> String {
    Files.text(of: "/proc/sys/kernel/random/boot_id").map { String($0.prefix { !$0.isNewline }) } ?? ""
  }
}
