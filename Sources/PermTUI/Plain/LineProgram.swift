/// What the line loop runs: typed lines come in, lines go out, and nothing on the terminal ever moves.
protocol LineProgram {
  /// What other tasks tell the program.
  associatedtype Message: Sendable

  /// Takes in one event, and says what the terminal shall do.
  mutating func handle(_ event: LineEvent<Message>, at moment: EventTime) -> [LineCommand]

  /// All that the program wrote is on the terminal.
  mutating func painted(at moment: EventTime)

  /// When a ``LineEvent/tick`` is wanted, in milliseconds of the moments' monotonic clock; nil when nothing is due.
  var nextDeadline: Int64? { get }
}

/// What happens to a program that goes line by line.
enum LineEvent<Message: Sendable>: Sendable {
  /// The terminal is ours: sent first of all.
  case started
  /// The terminal is ours again after a stop; the shell has written on it.
  case resumed
  /// What arrived together, in order: never empty.
  case input([InputEvent])
  case message(Message)
  /// The terminal kept lines waiting, and has shown them only now.
  case heldUp
  /// The deadline has come.
  case tick
}

/// What a program that goes line by line asks of the terminal.
enum LineCommand: Equatable, Sendable {
  /// Writes text, with its line ends.
  case write(String)
  /// Shows what is typed, where the terminal shows it.
  case echo(String)
  /// Takes so many cells of echo back.
  case erase(cells: Int)
  /// Throws away what was typed and not read yet.
  case drainInput
  case ringBell
  /// Ends the loop.
  case quit(exitCode: Int32)
}
