/// A program for the event loop: a state that events change and a grid shows.
protocol ScreenProgram {
  /// A message from other tasks.
  associatedtype Message: Sendable

  /// Handles one event, and returns a command for the terminal besides showing the next grid.
  mutating func handle(_ event: ScreenEvent<Message>, at moment: EventTime) -> [ScreenCommand]

  /// Returns the present screen: a grid of exactly this size.
  func render(_ size: Size) -> Grid

  /// Called when the grid that was rendered last is completely on the screen.
  mutating func painted(at moment: EventTime)

  /// The time of the next ``ScreenEvent/tick``, in milliseconds of the moments' monotonic clock; nil if none is due.
  var nextDeadline: Int64? { get }
}

/// An event for a program with a screen.
enum ScreenEvent<Message: Sendable>: Sendable {
  /// Input that arrived together, in order: never empty. Keys that come in one piece were not pressed one by one.
  case input([InputEvent])
  case message(Message)
  /// The screen has this size: sent first of all, and after each change.
  case resized(Size)
  /// The terminal delayed a frame, and has shown it only now.
  case heldUp
  /// The deadline has passed.
  case tick
  /// The terminal is gone, or the program must end; no later event is an answer. The loop ends after this event.
  case inputEnded
}

/// A command to the terminal.
enum ScreenCommand: Equatable, Sendable {
  case ringBell
  case setTitle(String)
  case suspend
  /// Ends the loop.
  case quit(exitCode: Int32)
}
