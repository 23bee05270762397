/// The modes that curses does not handle, as bytes: bracketed paste, focus reports, and a title.
struct TerminalModes {
  /// Sent when the screen opens, and again after a pause.
  private(set) var enter: [UInt8] = []
  /// Sent when it closes, on every way out.
  private(set) var leave: [UInt8] = []
  /// Whether the terminal has a title that can be set and put back.
  let hasTitle: Bool

  /// Reads the terminal's description; curses must have been started.
  init(_ options: TerminalOptions) {
    // Terminals that follow ECMA-48 ignore private modes that they do not know.
    let isStandard = CursesScreen.string("cup")?.starts(with: "\u{1b}[".utf8) ?? false
    if isStandard {
      enter += "\u{1b}[?2004h\u{1b}[?1004h".utf8
      leave += "\u{1b}[?1004l\u{1b}[?2004l".utf8
    }
    // The flag means that titles are set as in xterm; the Linux console would print them.
    hasTitle = options.setsTitle && isStandard && CursesScreen.flag("XT")
    if hasTitle {
      enter += "\u{1b}[22;2t".utf8
      leave += "\u{1b}[23;2t".utf8
    }
  }

  /// Returns the bytes that set the title; control characters become spaces.
  static func title(_ text: String) -> [UInt8] {
    let visible = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
    return Array("\u{1b}]2;\(String(visible))\u{7}".utf8)
  }

  /// Returns the bytes that restore a terminal whose program has crashed: modes off, then the bytes that curses would
  /// send.
  func restoring() -> [UInt8] {
    let strings = ["sgr0", "rmkx", "cnorm", "rmcup"].compactMap { CursesScreen.string($0) }
    return leave + strings.flatMap(Self.withoutPadding)
  }

  /// Removes the delays, `$<5>`, that the description of an old terminal may contain.
  private static func withoutPadding(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.first {
      if rest.starts(with: "$<".utf8), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
        rest = rest[(end + 1)...]
      } else {
        result.append(byte)
        rest.removeFirst()
      }
    }
    return result
  }
}
