/// What the event loop runs: a state that events change and a grid shows.
protocol ScreenProgram {
  /// What other tasks tell the program.
  associatedtype Message: Sendable

  /// Takes in one event, and says what the terminal shall do besides showing the next grid.
  mutating func handle(_ event: ScreenEvent<Message>, at moment: EventTime) -> [ScreenCommand]

  /// What the screen shall show now: a grid of exactly this size.
  func render(_ size: Size) -> Grid

  /// The grid that was rendered last is completely on the screen.
  mutating func painted(at moment: EventTime)

  /// When a ``ScreenEvent/tick`` is wanted, in milliseconds of the moments' monotonic clock; nil when nothing is due.
  var nextDeadline: Int64? { get }
}

/// What happens to a program with a screen.
enum ScreenEvent<Message: Sendable>: Sendable {
  /// What arrived together, in order: never empty. Keys that come in one piece were not pressed one by one.
  case input([InputEvent])
  case message(Message)
  /// The screen has this size: sent first of all, and after each change.
  case resized(Size)
  /// The terminal kept a frame waiting, and has shown it only now.
  case heldUp
  /// The deadline has come.
  case tick
  /// The terminal is gone, or the program shall end; nothing that happens now answers anything. The loop ends after
  /// this event.
  case inputEnded
}

/// What a program asks of the terminal.
enum ScreenCommand: Equatable, Sendable {
  case ringBell
  case setTitle(String)
  case suspend
  /// Ends the loop.
  case quit(exitCode: Int32)
}
