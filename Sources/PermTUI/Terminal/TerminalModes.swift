/// The bytes for what curses does not handle: bracketed paste, focus reports, and the window's title.
struct TerminalModes {
  /// The bytes to send when the screen opens, and again after a pause.
  private(set) var enter: [UInt8] = []
  /// The bytes to send whenever the screen closes or pauses, for whatever reason.
  private(set) var leave: [UInt8] = []
  /// Whether to set titles. This requires a terminal that can also restore its previous title.
  let hasTitle: Bool

  /// Reads the terminal's description; curses must have been started.
  init(_ options: TerminalOptions) {
    // Terminals that follow ECMA-48 ignore private modes that they do not know, so sending these modes is safe.
    let isStandard = CursesScreen.string("cup")?.starts(with: "\u{1b}[".utf8) ?? false
    if isStandard {
      enter += "\u{1b}[?2004h\u{1b}[?1004h".utf8
      leave += "\u{1b}[?1004l\u{1b}[?2004l".utf8
    }
    // The flag marks terminals that set titles as xterm does. The Linux console would print the titles instead. The
    // descriptions of tmux and screen lack the flag, although both set titles.
    let isMultiplexer = ["tmux", "screen"].contains { options.type?.hasPrefix($0) == true }
    hasTitle = options.setsTitle && isStandard && (CursesScreen.flag("XT") || isMultiplexer)
    if hasTitle {
      enter += "\u{1b}[22;2t".utf8
      // screen cannot restore a title, so its title is emptied; a terminal that can restore one does that afterwards.
      if isMultiplexer { leave += Self.title("") }
      leave += "\u{1b}[23;2t".utf8
    }
  }

  /// Returns the bytes that set the title; control characters become spaces.
  static func title(_ text: String) -> [UInt8] {
    let visible = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
    return Array("\u{1b}]2;\(String(visible))\u{7}".utf8)
  }

  /// Returns the bytes that restore the terminal after a crash: first those that switch the modes off, then
  /// those that curses would send.
  func restoring() -> [UInt8] {
    let strings = ["sgr0", "rmkx", "cnorm", "rmcup"].compactMap { CursesScreen.string($0) }
    return leave + strings.flatMap(Self.withoutPadding)
  }

  /// Removes delays such as `$<5>`, which the descriptions of old terminals can contain.
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
