import Machine
import PermModel

/// Everything that can happen to the dashboard.
enum Action: Sendable {
  /// Keys that were read together, in order.
  case keys([Key])
  /// The terminal itself reports that a key is held down.
  case repeated
  /// A bracketed paste, whole.
  case paste(String)
  /// Input that is not a key: a reply of the terminal, an unknown sequence.
  case noise
  /// The window has the focus again.
  case focused
  /// The screen has this size; also sent when the terminal is ours again after a stop.
  case resized(Size)
  /// The last frame appeared late: the terminal had held it back, and the keys typed meanwhile were not meant for it.
  case heldUp
  /// The moment of `nextDeadline` has come.
  case tick
  case inputEnded

  /// Something on the screen has changed.
  case changed(DashboardData)
  /// Somebody, here or elsewhere, changed decisions.
  case noticed([DecisionNews])

  /// An operation wants this alert to be shown.
  case presented(Alert)
  /// The alert's sender no longer waits, or the alert was answered elsewhere.
  case withdrawn(Alert.ID)

  /// Whether a broker presents the alert: false once its broker has gone away.
  case backed(Alert.ID, Bool)

  case exampleEnded(capability: String, ExampleOutcome)
  /// An effect has ended and has something to report.
  case reported(Report)
}

enum ExampleOutcome: Hashable, Sendable {
  /// Lines that it found. Foreign text: file names and the like.
  case done([String])
  case failed(String)
}

/// Something to say in the status line.
struct Report: Hashable, Sendable {
  var text: String
  var isError = false
  /// Whether undo would take back the reported change.
  var isUndoable = false
}

/// The moment of an action, on both clocks that the screen needs.
///
/// Arming counts on the monotonic clock, so that setting the wall clock can neither arm nor disarm an alert.
/// Countdowns and clock times come from the wall clock.
struct EventTime: Hashable, Sendable {
  /// Milliseconds of a clock that never goes back.
  var milliseconds: Int64
  var wall: Timestamp

  static func now() -> EventTime {
    EventTime(milliseconds: SystemClock.monotonic.milliseconds, wall: .now)
  }
}
