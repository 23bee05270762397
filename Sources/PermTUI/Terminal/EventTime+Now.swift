import CNcurses
import Glibc
import PermModel

extension EventTime {
  /// Returns this moment on the clocks of the machine.
  static func now() -> EventTime {
    var monotonic = timespec()
    var wall = timespec()
    clock_gettime(CLOCK_MONOTONIC, &monotonic)
    clock_gettime(CLOCK_REALTIME, &wall)
    return EventTime(
      milliseconds: Int64(monotonic.tv_sec) * 1_000 + Int64(monotonic.tv_nsec) / 1_000_000,
      wall: Timestamp(microseconds: Int64(wall.tv_sec) * 1_000_000 + Int64(wall.tv_nsec) / 1_000))
  }
}
