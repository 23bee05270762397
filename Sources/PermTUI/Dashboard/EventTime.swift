import Machine
import PermModel

/// The moment of an event, on both clocks that the screen needs.
///
/// Arming counts on the monotonic clock, so that setting the wall clock can neither arm nor disarm an alert.
/// Countdowns and clock times come from the wall clock.
struct EventTime: Hashable, Sendable {
  /// Milliseconds of a clock that never goes back.
  var milliseconds: Int64
  var wall: Timestamp
}

extension EventTime {
  /// Returns this moment on the clocks of the machine.
  static func now() -> EventTime {
    EventTime(milliseconds: SystemClock.monotonic.milliseconds, wall: .now)
  }
}
