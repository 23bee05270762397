import CNcurses

/// The screen of a terminal that curses has opened. It shows grids, and looks up entries in the terminal's description.
///
/// Only one thread at a time can use curses. This object belongs to the event loop's thread.
final class CursesScreen {
  private let screen: OpaquePointer
  private let files: [UnsafeMutablePointer<FILE>]
  private let output: TerminalOutput
  private let terminal: Int32
  private let capture: OutputCapture
  private let palette: Palette
  /// The sequences in which frames are written; `nil` if curses must write them.
  let dialect: TerminalDialect?
  private var window: UnsafeMutablePointer<WINDOW>?
  private var painted: Grid?
  private var cursorIsVisible: Bool?

  /// Starts curses. From then on, the terminal shows a separate screen, echoes nothing, and sends every key as input.
  ///
  /// - Parameter output: Sends the frames.
  init(_ options: TerminalOptions, output: TerminalOutput) throws(TerminalError) {
    let type = try Self.usableType(options)
    let (files, duplicate) = try Self.open(options)
    self.files = files
    self.output = output
    terminal = options.output
    capture = OutputCapture(of: duplicate, terminal: options.output)
    guard let screen = newterm(type, files[1], files[0]) else {
      for file in files { fclose(file) }
      capture.end()
      throw .typeUnknown(type)
    }
    self.screen = screen
    palette = Self.startColors(options)
    dialect = TerminalDialect(palette)
    guard Self.string("cup") != nil else {
      output.end(close(), patience: 0)
      throw .typeTooSimple(type)
    }
    Self.setModes()
    resize()
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
    let found = Palette.Depth(colors: Int(cncurses_colors()))
    let palette = Palette(depth: min(found, options.colors.deepest), on: options.background)
    palette.preparePairs()
    return palette
  }

  private static func setModes() {
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

  /// Returns the string with this name for a value; empty if there is none.
  static func sequence(_ capability: String, _ value: Int32) -> [UInt8] {
    guard string(capability) != nil, let result = cncurses_tiparm(tigetstr(capability), value) else {
      return []
    }
    return Array(String(cString: result).utf8)
  }

  /// The number with this name in the terminal's description; negative if there is none.
  static func number(_ capability: String) -> Int32 { tigetnum(capability) }

  /// Whether the terminal's description has this flag.
  static func flag(_ capability: String) -> Bool { tigetflag(capability) == 1 }

  /// Ends curses, and returns the bytes that restore the terminal's screen. The caller must send them, and
  /// restore the terminal's mode.
  func close() -> [UInt8] {
    let bytes = capture.bytes { _ = endwin() }
    capture.end()
    if let window { delwin(window) }
    window = nil
    delscreen(screen)
    for file in files { fclose(file) }
    return bytes
  }
}

// MARK: - Size

extension CursesScreen {
  var size: Size {
    guard let window else { return Size(width: 0, height: 0) }
    return Size(width: Int(getmaxx(window)), height: Int(getmaxy(window)))
  }

  /// Adopts the terminal's present size. The next paint redraws everything.
  func resize() {
    if let actual = Size(ofWindow: terminal) { resizeterm(Int32(actual.height), Int32(actual.width)) }
    if let window { delwin(window) }
    window = newwin(0, 0, 0, 0)
    if let window { keypad(window, true) }
    painted = nil
  }
}

// MARK: - Painting

extension CursesScreen {
  /// Shows `grid`. Only the cells that differ from the screen are sent. Returns `false` if the screen has another size
  /// than the grid, which is then not shown.
  @discardableResult
  func paint(_ grid: Grid) -> Bool {
    guard let window, grid.size == size else { return false }
    var bytes = showCursor(grid.cursor?.isVisible ?? false)
    if let dialect {
      if painted == nil { bytes += reset + capture.bytes { clear(window) } }
      let shown = painted ?? Grid(size: size, measure: grid.measure)
      bytes += FrameWriter.bytes(from: shown, cursorIsKnown: painted != nil, to: grid, dialect)
    } else {
      bytes += capture.bytes { paint(grid, in: window) }
    }
    painted = grid
    output.send(bytes)
    return true
  }

  /// Forgets the content of the screen, so that the next paint clears it and draws everything.
  func invalidate() {
    guard let window else { return }
    clearok(window, true)
    painted = nil
  }

  /// Returns the bytes that show or hide the cursor.
  private func showCursor(_ isVisible: Bool) -> [UInt8] {
    guard isVisible != cursorIsVisible else { return [] }
    cursorIsVisible = isVisible
    return capture.bytes { curs_set(isVisible ? 1 : 0) }
  }

  /// Clears the screen. The window of curses stays empty, because curses does not learn what is written.
  private func clear(_ window: UnsafeMutablePointer<WINDOW>) {
    clearok(window, true)
    wnoutrefresh(window)
    doupdate()
  }

  /// The bytes that end all attributes, and select the usual characters if another program selected others.
  private var reset: [UInt8] { Self.string("sgr0") ?? [] }
}

// MARK: - Painting with curses

extension CursesScreen {
  /// Lets curses send what differs. To save time, it is given only the changed columns of each row.
  private func paint(_ grid: Grid, in window: UnsafeMutablePointer<WINDOW>) {
    for row in 0..<size.height {
      let changed = painted.map { grid.changedColumns(inRow: row, since: $0) } ?? [0..<size.width]
      for columns in changed {
        paint(
          grid.row(row).dropFirst(columns.lowerBound).prefix(columns.count),
          at: Position(row: row, column: columns.lowerBound), in: window)
      }
    }
    wmove(window, Int32(grid.restingPlace.row), Int32(grid.restingPlace.column))
    wnoutrefresh(window)
    doupdate()
  }

  private func paint(
    _ cells: ArraySlice<Cell>, at position: Position, in window: UnsafeMutablePointer<WINDOW>
  ) {
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
      setcchar(&result, text.baseAddress, attributes, pair, nil)
    }
    return result
  }
}

// MARK: - Pausing

extension CursesScreen {
  /// Gives the terminal back to the shell until ``resume()`` is called.
  func pause() {
    endwin()
    cursorIsVisible = nil
  }

  /// Takes the terminal back from the shell, and adopts its present size.
  func resume() {
    // The mode is restored explicitly. Curses would do that at the next update, but during an update its output goes
    // to a file in memory, which has no terminal mode.
    reset_prog_mode()
    // Keys that were typed during the pause were meant for the shell.
    flushinp()
    resize()
    invalidate()
  }
}
