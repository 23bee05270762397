import CNcurses
import Glibc

struct TerminalOptions {
  var input: Int32 = 0
  var output: Int32 = 1
  var usesColor = true
  var colors = ColorSetting.auto
  var background = Background.unknown
  var setsTitle = true
  var ringsBell = true
  var pager = Pager([:])
  /// Whether clicks and the wheel of the mouse are reported. The terminal then selects text only with Shift.
  var usesMouse = true
  /// The time to wait for the rest of a sequence after a lone Escape, in milliseconds.
  var escapeDelay: Int64 = 25
  /// The terminal's type, from the environment variable `TERM`.
  var type: String?
  /// The name of the locale that determines the character encoding; empty for the locale that the environment
  /// variables name.
  var locale = ""

  /// Creates the default options, as changed by the environment variables `TERM`, `NO_COLOR` and `ESCDELAY`.
  init(environment: [String: String]) {
    type = environment["TERM"]
    pager = Pager(environment)
    usesColor = (environment["NO_COLOR"] ?? "").isEmpty
    if let delay = environment["ESCDELAY"].flatMap(Int64.init) { escapeDelay = min(max(delay, 0), 1_000) }
  }
}

extension TerminalOptions {
  /// Sets the locale of the process, and returns the measure of its characters. If the locale's encoding is
  /// not UTF-8, only ASCII can be shown.
  func makeMeasure() -> any CellMeasure {
    setlocale(LC_CTYPE, locale)
    let hasUTF8 = nl_langinfo(Int32(CODESET)).map { String(cString: $0) == "UTF-8" } ?? false
    return hasUTF8 ? LocaleCellMeasure() : ASCIICellMeasure()
  }

  /// The present result of `poll` for the input; 0 if reading would block.
  var inputNow: Int16 {
    var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0 ? descriptor.revents : 0
  }
}

extension CharacterLocale {
  /// Whether the machine has the locale. If it does not, programs use `C`.
  var isInstalled: Bool {
    guard let locale = newlocale(1 << LC_CTYPE, name, nil) else { return false }
    freelocale(locale)
    return true
  }
}

extension Size {
  /// The most rows and columns of a window that are used. A window can claim to have 65 535 of each.
  static let mostCells = 1_000

  /// Returns the present size of a terminal's window; `nil` if the terminal does not report it.
  init?(ofWindow terminal: Int32) {
    var window = winsize()
    guard ioctl(terminal, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else {
      return nil
    }
    self.init(
      width: min(Int(window.ws_col), Self.mostCells), height: min(Int(window.ws_row), Self.mostCells))
  }
}
