/// A reason why the screen cannot be opened.
enum TerminalError: Error, Equatable, CustomStringConvertible {
  /// Input or output is a file or a pipe.
  case notATerminal(String)
  case typeUnset
  case typeUnknown(String)
  /// The terminal cannot place text at a position, as with `TERM=dumb`. Plain mode works on such a terminal.
  case typeTooSimple(String)

  var description: String { "\(problem).\n\(advice)" }

  var problem: String {
    switch self {
    case .notATerminal(let stream): "the dashboard needs a terminal, and standard \(stream) is not one"
    case .typeUnset: "TERM is not set, so nothing is known about this terminal"
    case .typeUnknown(let type): "TERM=\(type) is not known on this machine"
    case .typeTooSimple(let type): "TERM=\(type) cannot show a screen"
    }
  }

  var advice: String {
    switch self {
    case .notATerminal:
      "`permtui status` and `permtui pending` print what there is; `permtui answer ID` answers."
    case .typeUnset, .typeUnknown: "\(Self.description(instead: Terminfo.usableType)) \(Self.plain)"
    case .typeTooSimple: Self.plain
    }
  }

  private static let plain = "`permtui --plain` goes line by line, on every terminal."

  /// Returns advice about the missing description of a terminal.
  ///
  /// - Parameter type: A type that is described on this machine.
  private static func description(instead type: String?) -> String {
    guard let type else {
      return """
        No usual terminal is known here either. Install their descriptions, on Debian the package ncurses-base.
        """
    }
    return """
      Set TERM=\(type), which is known here, or install the description of yours: Debian has many in ncurses-term.
      """
  }
}
