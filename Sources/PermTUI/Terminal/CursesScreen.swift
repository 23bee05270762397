import CNcurses

/// The screen of a terminal that curses has opened. It shows grids, and looks up entries in the terminal's description.
///
/// Only one thread at a time can use curses. This object belongs to the event loop's thread.
///
/// Curses writes to a file in memory, so that each frame is sent in one piece, and a stopped terminal never blocks the
/// process. Therefore it cannot change the terminal's mode later: ``Terminal`` does that.
final class CursesScreen {
  private let screen: OpaquePointer
  private let window: UnsafeMutablePointer<WINDOW>
  private let files: [UnsafeMutablePointer<FILE>]
  private let output: TerminalOutput
  private let terminal: Int32
  private let capture: OutputCapture
  private let palette: Palette
  private var painted: Grid?
  /// The size of the screen of curses; `nil` if curses could not adopt the terminal's size.
  private var adopted: Size?

  /// Starts curses. From then on, the terminal shows a separate screen, echoes nothing, and sends every key as input.
  ///
  /// - Parameter output: Sends the frames.
  init(_ options: TerminalOptions, output: TerminalOutput) throws(TerminalError) {
    let type = try Self.usableType(options)
    let (files, duplicate) = try Self.open(options)
    capture = OutputCapture(of: duplicate, terminal: options.output)
    // LINES and COLUMNS are often those of an earlier window. As curses does not write to the terminal, it cannot ask for
    // the size either, and begins with a usual one; resizing then adopts the real one.
    use_env(false)
    use_tioctl(true)
    guard let screen = newterm(type, files[1], files[0]), let window = cncurses_screen_window() else {
      for file in files { fclose(file) }
      capture.end()
      throw .typeUnknown(type)
    }
    (self.screen, self.window, self.files, self.output) = (screen, window, files, output)
    terminal = options.output
    palette = Self.startColors(options)
    guard Self.string("cup") != nil else {
      _ = close()
      throw .typeTooSimple(type)
    }
    capture.pause { Self.setModes(of: options.output) }
    // Curses keeps its first bytes until it updates the screen. They come from its first idea of the size, and let only that
    // many rows scroll, so what resets the screen must come after them.
    doupdate()
    resize()
    output.sendAhead(capture.take() + reset)
  }

  private static func usableType(_ options: TerminalOptions) throws(TerminalError) -> String {
    guard let type = options.type, !type.isEmpty else { throw .typeUnset }
    guard type != "dumb" else { throw .typeTooSimple(type) }
    return type
  }

  /// Opens the terminal's input and output as files of their own, and also returns the descriptor of the output.
  private static func open(
    _ options: TerminalOptions
  ) throws(TerminalError) -> (files: [UnsafeMutablePointer<FILE>], output: Int32) {
    guard let input = fdopen(dup(options.input), "r") else { throw .notATerminal("input") }
    let duplicate = dup(options.output)
    guard let file = fdopen(duplicate, "w") else {
      fclose(input)
      throw .notATerminal("output")
    }
    return ([input, file], duplicate)
  }

  private static func startColors(_ options: TerminalOptions) -> Palette {
    guard options.usesColor, has_colors() else { return Palette(depth: .none) }
    start_color()
    // Without this call, curses would paint white on black over whatever background the person chose.
    guard use_default_colors() == OK else { return Palette(depth: .none) }
    let colors = Int(cncurses_colors())
    let isDirect = colors == 1 << 24 && flag("RGB")
    let found = Palette.Depth(colors: colors, isDirect: isDirect)
    let palette = Palette(
      depth: min(found, options.colors.deepest), on: options.background, isDirect: isDirect)
    palette.preparePairs()
    return palette
  }

  /// Reads the terminal's mode and speed, and sets the mode of a screen. Curses does the first part by itself only if it
  /// can write to the terminal when it starts.
  private static func setModes(of terminal: Int32) {
    def_shell_mode()
    var mode = termios()
    tcgetattr(terminal, &mode)
    mode.c_lflag &= ~tcflag_t(ECHO | ECHONL)
    mode.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR)
    mode.c_oflag &= ~tcflag_t(ONLCR)
    tcsetattr(terminal, TCSANOW, &mode)
    def_prog_mode()
    baudrate()
    raw()
    noecho()
    nonl()
    // By default, curses stops painting while input is waiting. That is unnecessary, because the event loop reads all
    // input before it paints.
    typeahead(-1)
  }

  /// Returns the string with this name in the terminal's description; nil if there is none.
  static func string(_ capability: String) -> [UInt8]? {
    guard let value = tigetstr(capability), Int(bitPattern: value) != -1 else { return nil }
    let count = (0...).first { value[$0] == 0 } ?? 0
    let bytes = UnsafeBufferPointer(start: value, count: count).map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? nil : bytes
  }

  /// Whether the terminal's description has this flag.
  static func flag(_ capability: String) -> Bool { tigetflag(capability) == 1 }

  /// Returns the string with this name for two values; empty if the description has none.
  private static func sequence(_ capability: String, _ first: Int, _ second: Int) -> [UInt8] {
    guard string(capability) != nil,
      let result = cncurses_tiparm(tigetstr(capability), Int32(first), Int32(second))
    else { return [] }
    return Array(String(cString: result).utf8)
  }

  /// Ends curses, and returns the bytes that restore the terminal's screen. The caller must send them, and
  /// restore the terminal's mode.
  func close() -> [UInt8] {
    let bytes = pause()
    capture.end()
    delscreen(screen)
    for file in files { fclose(file) }
    return bytes
  }
}

// MARK: - Size

extension CursesScreen {
  var size: Size { adopted ?? Size(width: 0, height: 0) }

  /// Adopts the terminal's present size. The next paint redraws everything.
  func resize() {
    painted = nil
    let actual = Size(ofWindow: terminal) ?? windowSize
    adopted = resizeterm(Int32(actual.height), Int32(actual.width)) == OK ? windowSize : nil
  }

  private var windowSize: Size { Size(width: Int(getmaxx(window)), height: Int(getmaxy(window))) }
}

// MARK: - Painting

extension CursesScreen {
  /// Shows `grid`. Only the cells that differ from the screen are sent. Returns `false` if the screen has another size
  /// than the grid, which is then not shown.
  @discardableResult
  func paint(_ grid: Grid) -> Bool {
    guard let adopted, grid.size == adopted else { return false }
    let start = painted == nil ? reset : []
    if painted == nil { clearok(window, true) }
    curs_set(grid.cursor?.isVisible == true ? 1 : 0)
    putChanges(to: grid)
    wmove(window, Int32(grid.restingPlace.row), Int32(grid.restingPlace.column))
    wnoutrefresh(window)
    doupdate()
    painted = grid
    output.send(start + capture.take())
    return true
  }

  /// Forgets the content of the screen, so that the next paint clears it and draws everything.
  func invalidate() { painted = nil }

  /// The bytes that end all attributes, select the usual characters, and let the whole screen scroll again, if another
  /// program left something else behind. Curses would move to the next row by a line feed, which scrolls at the end of a
  /// smaller region.
  private var reset: [UInt8] {
    (Self.string("sgr0") ?? []) + Self.sequence("csr", 0, size.height - 1)
  }

  /// Passes the cells that look different to curses. It compares them once more, but not all the others.
  private func putChanges(to grid: Grid) {
    for row in 0..<grid.size.height {
      let changed = painted.map { grid.changedColumns(inRow: row, since: $0) } ?? [0..<grid.size.width]
      for columns in changed {
        put(
          grid.row(row).dropFirst(columns.lowerBound).prefix(columns.count),
          at: Position(row: row, column: columns.lowerBound))
      }
    }
  }

  private func put(_ cells: ArraySlice<Cell>, at position: Position) {
    var characters: [cchar_t] = []
    characters.reserveCapacity(cells.count)
    // Cells of one style differ only in their code points, so curses packs the style once.
    var pattern = (style: Style.normal, character: character(for: .blank))
    for cell in cells where !cell.isContinuation {
      if cell.style != pattern.style {
        pattern = (cell.style, character(for: Cell(.space, style: cell.style)))
      }
      if let scalar = cell.glyph.onlyScalar {
        pattern.character.chars.0 = wchar_t(scalar.value)
        characters.append(pattern.character)
      } else {
        characters.append(character(for: cell))
      }
    }
    // Unlike the functions that advance the cursor, this function can also fill the last cell of the screen.
    mvwadd_wchnstr(window, Int32(position.row), Int32(position.column), characters, Int32(characters.count))
  }

  private func character(for cell: Cell) -> cchar_t {
    var result = cchar_t()
    let attributes = palette.cursesAttributes(for: cell.style)
    let pair = palette.pair(for: cell.style)
    withUnsafeTemporaryAllocation(of: wchar_t.self, capacity: 7) { text in
      var count = 0
      cell.glyph.forEachScalar { scalar in
        text[count] = wchar_t(scalar.value)
        count += 1
      }
      text[count] = 0
      guard setcchar(&result, text.baseAddress, attributes, pair, nil) != OK else { return }
      // A grid contains no control characters. Should some get there, the others must be in their places.
      text[0] = wchar_t(UInt8(ascii: "?"))
      text[1] = 0
      setcchar(&result, text.baseAddress, attributes, pair, nil)
    }
    return result
  }
}

// MARK: - Pausing

extension CursesScreen {
  /// Returns the bytes that give the terminal's screen back to the shell until ``resume()`` is called. The caller must
  /// send them, and restore the terminal's mode.
  func pause() -> [UInt8] {
    endwin()
    return capture.take()
  }

  /// Adopts the terminal's present size after a pause. The next paint takes the screen back, and draws everything.
  func resume() { resize() }
}
