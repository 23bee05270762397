/// The bytes for what curses does not handle: bracketed paste, focus reports, the window's title, and modes that another
/// program left on.
struct TerminalModes {
  /// Switches off origin mode, insertion, and line feeds that also return; switches on that lines are wrapped.
  private static let layout = "\u{1b}[?6l\u{1b}[4;20l\u{1b}[?7h"
  /// Switches off all reports of the mouse, of the window's size and colours, and of keys as sequences.
  private static let input =
    "\u{1b}[?9;1000;1001;1002;1003;1005;1006;1015;1016;2031;2048;9001l\u{1b}[>4;0m"
  /// Asks for clicks and turns of the wheel, in the coding that knows every cell; or for none.
  private static let mouse = (on: "\u{1b}[?1000h\u{1b}[?1006h", off: "\u{1b}[?1000l\u{1b}[?1006l")
  /// The bytes that ask for marks around pastes, and for reports of the focus.
  private(set) var reports: [UInt8] = []
  /// The bytes to send when the screen opens, and again after a pause.
  private(set) var enter: [UInt8] = []
  /// The bytes to send whenever the screen closes or pauses, for whatever reason.
  private(set) var leave: [UInt8] = []
  /// Whether to set titles. This requires a terminal that can also restore its previous title.
  let hasTitle: Bool
  /// Whether the terminal does not print commands (OSC) that it does not know.
  let understandsOSC: Bool

  /// Reads the terminal's description; curses must have been started.
  init(_ options: TerminalOptions) {
    // Terminals that follow ECMA-48 ignore private modes that they do not know, so sending these modes is safe.
    let isStandard = CursesScreen.string("cup")?.starts(with: "\u{1b}[".utf8) ?? false
    if isStandard {
      reports += "\u{1b}[?2004h\u{1b}[?1004h".utf8
      // The keypad sends digits, and no curses function reads keys, so the mode of the keypad is the usual one.
      enter += Array("\(Self.layout)\(Self.input)\(Self.order(isExplicit: true, on: options.type))".utf8)
      enter += (CursesScreen.string("rmkx").map(Self.withoutPadding) ?? []) + reports
      if options.usesMouse {
        enter += Self.mouse.on.utf8
        leave += Self.mouse.off.utf8
      }
      leave += "\u{1b}[?1004l\u{1b}[?2004l\(Self.order(isExplicit: false, on: options.type))".utf8
    }
    // The flag marks terminals that set titles as xterm does. The Linux console would print the titles instead. The
    // descriptions of tmux and screen lack the flag, although both set titles.
    let isMultiplexer = ["tmux", "screen"].contains { options.type?.hasPrefix($0) == true }
    understandsOSC = isStandard && (CursesScreen.flag("XT") || isMultiplexer)
    hasTitle = options.setsTitle && understandsOSC
    if hasTitle {
      enter += "\u{1b}[22;2t".utf8
      // screen cannot restore a title, so its title is emptied; a terminal that can restore one does that afterwards.
      if isMultiplexer { leave += Self.title("") }
      leave += "\u{1b}[23;2t".utf8
    }
  }

  /// Lets the terminal show the characters of each row in the order in which they are sent, or in the order of their
  /// scripts again. Otherwise some terminals mirror a row that contains right-to-left text, with all its columns.
  private static func order(isExplicit: Bool, on type: String?) -> String {
    let mode = isExplicit ? "\u{1b}[8l" : "\u{1b}[8h"
    // mlterm has a setting in place of the mode. It is usually on.
    return type?.hasPrefix("mlterm") == true ? mode + "\u{1b}]5379;use_ctl=\(!isExplicit)\u{7}" : mode
  }

  /// Returns the bytes that set the title; control characters become spaces.
  static func title(_ text: String) -> [UInt8] {
    let visible = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
    return Array("\u{1b}]2;\(String(visible))\u{7}".utf8)
  }

  /// Returns the bytes that put a text on the terminal's clipboard (OSC 52). No byte of the text is sent as it is.
  static func copy(_ text: String) -> [UInt8] {
    Array("\u{1b}]52;c;".utf8) + base64(Array(text.utf8)) + [0x07]
  }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 3).flatMap { start -> [UInt8] in
      let part = bytes[start..<min(start + 3, bytes.count)]
      let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      return (0..<4).map { place in
        place > part.count ? UInt8(ascii: "=") : digits[bits >> (18 - 6 * place) & 63]
      }
    }
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
