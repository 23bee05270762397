/// A program for the event loop: a state that events change and a terminal shows.
protocol TerminalProgram {
  /// A message from other tasks.
  associatedtype Message: Sendable
  /// The form in which the terminal shows it: a grid, or lines.
  associatedtype Picture

  /// Handles one event, and returns commands for the terminal besides showing the next picture.
  mutating func handle(_ event: TerminalEvent<Message>, at moment: EventTime) -> [TerminalCommand]

  /// Returns the present picture, for a terminal of this size.
  mutating func render(_ size: Size) -> Picture

  /// Called when the picture that was rendered last is completely on the terminal.
  mutating func painted(at moment: EventTime)

  /// The time of the next ``TerminalEvent/tick``, in milliseconds of the moments' monotonic clock; nil if none is due.
  var nextDeadline: Int64? { get }
}

/// An event for a program on a terminal.
enum TerminalEvent<Message: Sendable>: Sendable {
  /// The terminal is ours. This is the first event.
  case started
  /// The terminal is ours again after a stop; the shell has written on it.
  case resumed
  /// The screen has this size: sent after the two above, and when the window has changed.
  case resized(Size)
  /// Input that arrived together, in order; never empty. Keys that arrive in one piece were not pressed one by one.
  case input([InputEvent])
  case message(Message)
  /// The terminal delayed a picture, and has shown it only now.
  case heldUp
  /// The deadline has passed.
  case tick
  /// The terminal is gone, or the program must end; no later event is an answer. The loop ends after this event.
  case inputEnded
}

enum TerminalCommand: Equatable, Sendable {
  case ringBell
  case setTitle(String)
  /// Ends the loop.
  case quit(exitCode: Int32)
}

/// The terminal while the program has it: opened once, restored on every way out.
///
/// It belongs to one thread, the event loop's.
protocol LoopTerminal: AnyObject {
  associatedtype Picture

  var options: TerminalOptions { get }
  /// The measure of characters on this terminal. If the locale is not UTF-8, only ASCII can be shown.
  var measure: any CellMeasure { get }
  var size: Size { get }
  /// Whether ^Z and ^L come as keys and are for the loop. Elsewhere the terminal itself makes a signal of ^Z.
  var sendsEveryKey: Bool { get }

  /// Takes the terminal.
  ///
  /// - Throws: ``TerminalError`` if it cannot be used.
  init(_ options: TerminalOptions) throws(TerminalError)

  /// Restores the terminal.
  func close()

  /// Returns a decoder for the input of this terminal.
  func makeDecoder() -> InputDecoder

  /// Shows the picture.
  ///
  /// - Returns: Whether the terminal took it at once. If not, keys typed meanwhile were not typed in response to it.
  func paint(_ picture: Picture) -> Bool

  /// Makes the next paint redraw everything, as ^L does.
  func invalidate()

  /// Adopts the window's present size.
  func resize()

  func ringBell()
  func setTitle(_ text: String)

  /// Makes input on this descriptor end the wait for a stopped terminal.
  func isInterrupted(by descriptor: Int32)

  /// Stops the process as ^Z does, and returns when it is continued.
  ///
  /// - Parameter wholeGroup: True for the key, which stops everything that the shell started together; false for a
  ///   signal that was sent to this process alone.
  func suspend(wholeGroup: Bool)

  /// Takes the terminal again after the process was continued, even if it was stopped by other means.
  func resume()
}

extension LoopTerminal {
  /// Opens the terminal, runs `body`, and closes the terminal whatever happens.
  static func use<Result>(_ options: TerminalOptions, _ body: (Self) throws -> Result) throws -> Result {
    let terminal = try Self(options)
    defer { terminal.close() }
    return try body(terminal)
  }
}
