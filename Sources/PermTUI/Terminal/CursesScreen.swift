import CNcurses
import Glibc

/// The screen as curses keeps it. It paints grids, and looks up entries in the terminal's description.
///
/// Only one thread at a time can use curses. This object belongs to the event loop's thread.
final class CursesScreen {
  private let screen: OpaquePointer
  private let files: [UnsafeMutablePointer<FILE>]
  private let output: TerminalOutput
  private let terminal: Int32
  private let capture: OutputCapture
  private let palette: Palette
  /// Whether the bytes of a frame can be shortened.
  private let shortensFrames: Bool
  /// Whether the terminal erases in any colour. Otherwise, curses would send each coloured blank.
  private let erasesInColor: Bool
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
    shortensFrames =
      FrameBytes.capabilities.allSatisfy { Self.string($0.key)?.elementsEqual($0.value.utf8) == true }
      && FrameBytes.flags.allSatisfy(Self.flag)
    erasesInColor = Self.flag("bce")
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
    return Palette(depth: min(found, options.colors.deepest), on: options.background)
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
    let bytes = UnsafeBufferPointer(start: value, count: strlen(value)).map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? nil : bytes
  }

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
  /// Shows `grid`. Curses sends only the cells that differ from the screen. To save time, curses is given only the
  /// changed columns of each row.
  func paint(_ grid: Grid) {
    guard let window else { return }
    let previous = painted?.size == grid.size ? painted : nil
    var isChanged = previous == nil || previous?.cursor != grid.cursor
    for row in 0..<min(grid.size.height, size.height) {
      let columns = previous.map { grid.changedColumns(inRow: row, since: $0) } ?? 0..<grid.size.width
      guard let columns else { continue }
      isChanged = true
      paint(
        grid.cells(columns, ofRow: row, extendingStyles: erasesInColor),
        at: Position(row: row, column: columns.lowerBound), in: window)
    }
    guard isChanged else { return }
    painted = grid
    let bytes = capture.bytes {
      place(grid.cursor, in: window)
      wnoutrefresh(window)
      doupdate()
    }
    output.send(shortensFrames ? FrameBytes.shortened(bytes, size: size, since: previous) : bytes)
  }

  /// Forgets the content of the screen, so that the next paint clears it and draws everything.
  func invalidate() {
    guard let window else { return }
    clearok(window, true)
    painted = nil
  }

  private func paint(
    _ cells: [Cell], at position: Position, in window: UnsafeMutablePointer<WINDOW>
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
    let attributes = palette.attributes(for: cell.style)
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

  /// Places the hardware cursor, even if it is hidden, because screen readers follow it.
  private func place(_ cursor: Grid.Cursor?, in window: UnsafeMutablePointer<WINDOW>) {
    let isVisible = cursor?.isVisible ?? false
    if isVisible != cursorIsVisible {
      curs_set(isVisible ? 1 : 0)
      cursorIsVisible = isVisible
    }
    let position = cursor?.position ?? Position(row: size.height - 1, column: 0)
    wmove(window, Int32(min(position.row, size.height - 1)), Int32(min(position.column, size.width - 1)))
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

/// A capture of the bytes that curses writes to a descriptor. Each frame can then be sent in one piece, by code that
/// can be interrupted.
struct OutputCapture {
  private let descriptor: Int32
  private let terminal: Int32
  private let file: Int32

  /// - Parameters:
  ///   - descriptor: The descriptor that curses writes to: a duplicate of the terminal's descriptor that no
  ///     other code uses.
  ///   - terminal: The terminal's descriptor, to which `descriptor` leads while nothing is being captured.
  init(of descriptor: Int32, terminal: Int32) {
    self.descriptor = descriptor
    self.terminal = terminal
    file = cncurses_memfd("frame")
  }

  func end() { close(file) }

  /// Returns the bytes that curses writes during `body`.
  func bytes(of body: () -> Void) -> [UInt8] {
    guard file >= 0 else {
      body()
      return []
    }
    dup2(file, descriptor)
    body()
    dup2(terminal, descriptor)
    let count = Int(lseek(file, 0, SEEK_CUR))
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
      filled = max(0, pread(file, buffer.baseAddress, buffer.count, 0))
    }
    lseek(file, 0, SEEK_SET)
    return bytes
  }
}
