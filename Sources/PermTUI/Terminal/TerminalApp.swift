/// A program that the event loop runs. Events change its state, and the terminal shows that state.
protocol TerminalApp {
  /// A message from another task.
  associatedtype Message: Sendable
  /// The form in which the terminal shows the program's state: a grid, or lines.
  associatedtype Picture

  /// Handles one event, and returns commands for the terminal. Showing the next picture needs no command.
  mutating func handle(_ event: TerminalEvent<Message>, at moment: EventTime) -> [TerminalCommand]

  /// Returns the present picture, for a terminal of this size.
  mutating func render(_ size: Size) -> Picture

  /// Called after the most recently rendered picture has been sent to the terminal.
  mutating func painted(at moment: EventTime)

  /// The time of the next ``TerminalEvent/tick``, in milliseconds of the monotonic clock that ``EventTime``
  /// uses; nil if no tick is due. A getter that may mutate works in place, while another one is called on a copy of
  /// the whole program.
  var nextDeadline: Int64? { mutating get }
}

/// An event for a program on a terminal.
enum TerminalEvent<Message: Sendable>: Sendable {
  /// The program has the terminal now. This is the first event.
  case started
  /// The program has the terminal back after a stop, during which the shell has probably written on it.
  case resumed
  /// The screen has this size. Sent after ``started`` and ``resumed``, and when the size of the window has changed.
  case resized(Size)
  /// Input that arrived together, in order; never empty. Keys in the same piece were not pressed one by one.
  case input([InputEvent])
  case message(Message)
  /// The pager has ended that ``TerminalCommand/read(_:)`` started, with the reason why nothing could be read, in words.
  case hasRead(problem: String?)
  /// The terminal delayed a picture, and has shown it only now.
  case heldUp
  /// ``TerminalApp/nextDeadline`` has passed.
  case tick
  /// The terminal is gone, or the program must end. The loop ends after this event, so no answer can follow.
  case inputEnded
}

enum TerminalCommand: Equatable, Sendable {
  case ringBell
  case setTitle(String)
  case copy(String)
  /// Shows a text in the person's pager, which has the terminal until it ends.
  case read(String)
  /// Ends the loop.
  case quit(exitCode: Int32)
}

/// A terminal that a program is using. It is opened once, and restored however the program ends.
///
/// The terminal belongs to a single thread, that of the event loop.
protocol LoopTerminal: AnyObject {
  associatedtype Picture

  var options: TerminalOptions { get }
  /// The measure of characters on this terminal. If the locale is not UTF-8, only ASCII can be shown.
  var measure: any CellMeasure { get }
  var size: Size { get }
  /// Whether ^Z and ^L arrive as keys, which the loop then handles. If not, the terminal itself turns ^Z into a signal.
  var sendsEveryKey: Bool { get }

  /// Takes the terminal.
  ///
  /// - Throws: ``TerminalError`` if the terminal cannot be used.
  init(_ options: TerminalOptions) throws(TerminalError)

  /// Restores the terminal.
  func close()

  /// Returns a decoder for the input of this terminal.
  func makeDecoder() -> InputDecoder

  /// Shows the picture.
  ///
  /// - Returns: Whether the terminal has accepted the whole picture. If not, nobody can respond to it yet.
  func paint(_ picture: Picture) -> Bool

  /// Makes the next paint redraw everything, as ^L does.
  func invalidate()

  /// Adopts the window's present size.
  func resize()

  func ringBell()
  func setTitle(_ text: String)
  /// Asks the terminal to put a text on its clipboard. Terminals that cannot do so ignore it.
  func copy(_ text: String)

  /// Lets the person read a text in the pager, and returns when the pager has ended.
  ///
  /// - Returns: The reason why the text could not be read, in words; `nil` if there is none.
  func read(_ text: String) -> String?

  /// The descriptor that is ready when a stopped terminal accepts more of the picture; `nil` if it has accepted all of it.
  var heldUp: Int32? { get }

  /// Sends as much of the rest of the picture as the terminal accepts now.
  func sendRest()

  /// Stops the process as ^Z does, and returns when the process is continued.
  ///
  /// - Parameter wholeGroup: True if the key ^Z was pressed, which stops all processes that the shell started
  ///   together. False if a signal was sent to this process alone.
  func suspend(wholeGroup: Bool)

  /// Takes the terminal back after the process was continued, even if ``suspend(wholeGroup:)`` did not stop
  /// the process.
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
