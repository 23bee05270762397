import CNcurses

/// The descriptions of terminals on this machine.
enum Terminfo {
  /// The types under which most terminals work, the best first.
  private static let usual = ["xterm-256color", "xterm", "screen-256color", "screen", "linux", "vt100"]

  /// A usual type that is described here; nil if none is. It must not be asked for while a screen is open.
  static var usableType: String? { usual.first(where: describes) }

  /// Returns the reason why no screen can be opened on a terminal of this type; nil if there is none.
  static func objection(to type: String?) -> TerminalError? {
    guard let type, !type.isEmpty else { return .typeUnset }
    guard type != "dumb" else { return .typeTooSimple(type) }
    guard describes(type) else { return .typeUnknown(type) }
    return CursesScreen.string("cup") == nil ? .typeTooSimple(type) : nil
  }

  /// Looks for a description, and if there is one, directs the look-ups of ``CursesScreen`` to it.
  private static func describes(_ type: String) -> Bool { cncurses_select_terminal(type) == 1 }
}
