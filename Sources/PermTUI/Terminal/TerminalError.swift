/// A reason why the screen cannot be opened.
enum TerminalError: Error, Equatable, CustomStringConvertible {
  /// Input or output is a file or a pipe.
  case notATerminal(String)
  case typeUnset
  case typeUnknown(String)
  /// The terminal cannot place text at a position, as with `TERM=dumb`. Plain mode works on such a terminal.
  case typeTooSimple(String)

  var description: String {
    switch self {
    case .notATerminal(let stream):
      """
      the dashboard needs a terminal, and standard \(stream) is not one.
      `permtui status` and `permtui pending` print what there is; `permtui answer ID` answers.
      """
    case .typeUnset:
      """
      TERM is not set, so nothing is known about this terminal.
      Try `TERM=xterm-256color permtui`, or `permtui --plain`, which goes line by line.
      """
    case .typeUnknown(let type):
      """
      TERM=\(type) is not known on this machine.
      Try `TERM=xterm-256color permtui`, or `permtui --plain`, which goes line by line.
      """
    case .typeTooSimple(let type):
      """
      TERM=\(type) cannot show a screen.
      Try `permtui --plain`, which goes line by line.
      """
    }
  }
}
