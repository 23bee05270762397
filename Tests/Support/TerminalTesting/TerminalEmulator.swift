import CVTerm

/// A terminal without a window: takes a program's bytes and knows the resulting screen.
public final class TerminalEmulator {
  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  private let state: UnsafeMutablePointer<State>

  /// The state that programs set besides cells.
  private struct State {
    var title = ""
    var bells = 0
    var cursorIsVisible = true
    var showsAlternateScreen = false
    private var ignoresCursorOnce = false

    /// With the shell's screen libvterm restores the cursor as it was shown there; terminals restore only its position.
    mutating func setAlternateScreen(isShown: Bool) {
      if showsAlternateScreen, !isShown { ignoresCursorOnce = true }
      showsAlternateScreen = isShown
    }

    mutating func setCursor(isVisible: Bool) {
      if !ignoresCursorOnce { cursorIsVisible = isVisible }
      ignoresCursorOnce = false
    }
  }

  public init(columns: Int, rows: Int) throws {
    guard let terminal = vterm_new(Int32(rows), Int32(columns)), let screen = vterm_obtain_screen(terminal)
    else {
      throw SystemError("make a terminal emulator")
    }
    self.terminal = terminal
    self.screen = screen
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    vterm_set_utf8(terminal, 1)
    vterm_screen_set_callbacks(screen, Self.callbacks, state)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
  }

  deinit {
    vterm_free(terminal)
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// The emulator keeps the address of the table, so the table lives as long as the process.
  private nonisolated(unsafe) static let callbacks: UnsafeMutablePointer<VTermScreenCallbacks> = {
    var table = VTermScreenCallbacks()
    table.settermprop = { property, value, user in
      guard let state = user?.assumingMemoryBound(to: State.self), let value = value?.pointee else {
        return 0
      }
      switch property {
      case VTERM_PROP_TITLE: state.pointee.title = String(cString: value.string)
      case VTERM_PROP_CURSORVISIBLE: state.pointee.setCursor(isVisible: value.boolean != 0)
      case VTERM_PROP_ALTSCREEN: state.pointee.setAlternateScreen(isShown: value.boolean != 0)
      default: return 0
      }
      return 1
    }
    table.bell = { user in
      user?.assumingMemoryBound(to: State.self).pointee.bells += 1
      return 1
    }
    let callbacks = UnsafeMutablePointer<VTermScreenCallbacks>.allocate(capacity: 1)
    callbacks.initialize(to: table)
    return callbacks
  }()
}

// MARK: - The program's output

extension TerminalEmulator {
  public func feed(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      _ = vterm_input_write(terminal, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
  }

  public func resize(columns: Int, rows: Int) {
    vterm_set_size(terminal, Int32(rows), Int32(columns))
  }

  public var title: String { state.pointee.title }
  /// The number of times that the bell has rung.
  public var bells: Int { state.pointee.bells }
  /// Whether the screen of a full-screen program is shown, and not the shell's.
  public var showsAlternateScreen: Bool { state.pointee.showsAlternateScreen }

  /// The visible screen.
  public var picture: ScreenPicture {
    var rows: Int32 = 0
    var columns: Int32 = 0
    vterm_get_size(terminal, &rows, &columns)
    var cursor = VTermPos()
    vterm_state_get_cursorpos(vterm_obtain_state(terminal), &cursor)
    return ScreenPicture(
      rows: (0..<rows).map { row in cells(row: row, columns: columns) },
      cursor: .init(
        row: Int(cursor.row), column: Int(cursor.col), isVisible: state.pointee.cursorIsVisible))
  }

  private func cells(row: Int32, columns: Int32) -> [ScreenPicture.Cell] {
    var result: [ScreenPicture.Cell] = []
    var column: Int32 = 0
    while column < columns {
      var cell = VTermScreenCell()
      vterm_screen_get_cell(screen, VTermPos(row: row, col: column), &cell)
      let style = Self.style(of: &cell)
      result.append(.init(text: Self.text(of: &cell), style: style))
      if cell.width == 2 { result.append(.init(text: "", style: style)) }
      column += max(1, Int32(cell.width))
    }
    return result
  }

  private static func text(of cell: inout VTermScreenCell) -> String {
    var text = String.UnicodeScalarView()
    for index in 0..<Int32(VTERM_MAX_CHARS_PER_CELL) {
      guard let scalar = Unicode.Scalar(cvterm_character(&cell, index)), scalar.value != 0 else { break }
      text.append(scalar)
    }
    return text.isEmpty ? " " : String(text)
  }

  private static func style(of cell: inout VTermScreenCell) -> String {
    var words: [String] = []
    if cvterm_is_bold(&cell) != 0 { words.append("bold") }
    if cvterm_is_underlined(&cell) != 0 { words.append("underline") }
    if cvterm_is_reversed(&cell) != 0 { words.append("reverse") }
    let (foreground, background) = (cvterm_color(&cell.fg), cvterm_color(&cell.bg))
    if foreground != -1 { words.append("fg=\(foreground)") }
    if background != -1 { words.append("bg=\(background)") }
    return words.joined(separator: " ")
  }
}

// MARK: - The terminal's output

extension TerminalEmulator {
  /// A key that is not a character.
  public enum SpecialKey: Sendable {
    case enter, escape, tab, backspace, up, down, left, right, home, end, pageUp, pageDown, delete
    case function(Int)

    var code: VTermKey {
      switch self {
      case .enter: VTERM_KEY_ENTER
      case .escape: VTERM_KEY_ESCAPE
      case .tab: VTERM_KEY_TAB
      case .backspace: VTERM_KEY_BACKSPACE
      case .up: VTERM_KEY_UP
      case .down: VTERM_KEY_DOWN
      case .left: VTERM_KEY_LEFT
      case .right: VTERM_KEY_RIGHT
      case .home: VTERM_KEY_HOME
      case .end: VTERM_KEY_END
      case .pageUp: VTERM_KEY_PAGEUP
      case .pageDown: VTERM_KEY_PAGEDOWN
      case .delete: VTERM_KEY_DEL
      case .function(let number): VTermKey(VTERM_KEY_FUNCTION_0.rawValue + UInt32(number))
      }
    }
  }

  /// Returns the terminal's bytes for a key, in the mode that the program has set.
  public func bytes(for key: SpecialKey) -> [UInt8] {
    vterm_keyboard_key(terminal, key.code, VTERM_MOD_NONE)
    return takeReplies()
  }

  /// Returns the terminal's bytes for a paste: marked as one if the program asked for that.
  public func bytes(pasting text: String) -> [UInt8] {
    vterm_keyboard_start_paste(terminal)
    let start = takeReplies()
    vterm_keyboard_end_paste(terminal)
    return start + Array(text.utf8) + takeReplies()
  }

  /// Whether the program has asked for pastes to be marked.
  public var marksPastes: Bool { !bytes(pasting: "").isEmpty }

  /// Returns the terminal's replies to queries of the program.
  public func takeReplies() -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: 1_024)
    let count = vterm_output_read(terminal, &buffer, buffer.count)
    return buffer[..<Int(count)].map(UInt8.init(bitPattern:))
  }
}
