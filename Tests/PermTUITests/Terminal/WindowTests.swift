import Glibc
import TerminalTesting
import Testing

@testable import PermTUI

extension RealTerminalTests {
  /// Each test runs in a process of its own, since it changes the environment and the locale.
  @Suite("in each window")
  struct InEachWindow {
    @Test(
      "exactly the grid's cells are drawn, in every locale, whatever LINES and COLUMNS say",
      arguments: ["xterm-256color", "xterm-direct", "tmux-256color", "screen", "linux", "vt220"])
    func cells(type: String) async {
      await #expect(processExitsWith: .success) { [type = type as String] in
        for locale in ["C.UTF-8", "C", "xx_XX.UTF-8"] {
          // The size that the variables name is right for no window.
          for claimed in [nil, "3", "99999999"] {
            for size in Pattern.sizes(type: type) {
              for name in ["LINES", "COLUMNS"] { setenv(name, claimed ?? "", 1) }
              if claimed == nil { for name in ["LINES", "COLUMNS"] { unsetenv(name) } }
              try Pattern.check(type, size, locale: locale)
            }
          }
        }
      }
    }
  }
}

/// A picture in which each cell has a sign.
private enum Pattern {
  /// The sizes of windows that a terminal of this type must fill.
  static func sizes(type: String) -> [Size] {
    // A terminal that cannot stop wrapping lines receives the last cell of the screen by shifting the row, for which curses
    // needs a second column.
    let least = ["tmux-256color", "screen"].contains(type) ? 2 : 1
    return [(least, 1), (20, 5), (40, 10), (60, 15), (80, 24), (100, 40), (132, 43), (200, 60)]
      .map { Size(width: $0.0, height: $0.1) }
  }

  /// Paints three pictures, of which each can be made of the one before by scrolling, and the last is larger.
  static func check(_ type: String, _ size: Size, locale: String) throws {
    let window = try TestWindow(columns: size.width, rows: size.height)
    let terminal = try Terminal(window.options(type: type) { $0.locale = locale })
    defer { terminal.close() }
    #expect(terminal.size == size)
    for offset in 0...1 { try expect(grid(on: terminal, offset), on: terminal, in: window) }
    window.resize(columns: size.width + 7, rows: size.height + 3)
    terminal.resize()
    #expect(terminal.size == Size(width: size.width + 7, height: size.height + 3))
    try expect(grid(on: terminal, 2), on: terminal, in: window)
  }

  private static func expect(_ grid: Grid, on terminal: Terminal, in window: TestWindow) throws {
    terminal.paint(grid)
    // A large picture is more than a terminal takes at once.
    while terminal.heldUp != nil {
      window.makeRoom()
      terminal.sendRest()
    }
    let (shown, drawn) = (try window.picture().lines, grid.picture.lines)
    let row = drawn.indices.first { !shown.indices.contains($0) || shown[$0] != drawn[$0] }
    #expect(row == nil, "\(grid.size), row \(row ?? 0): \(shown[row ?? 0]) instead of \(drawn[row ?? 0])")
  }

  /// Returns a grid with a sign in each cell, a wide character in each row, and bars at the edges. The signs of a row are
  /// those of another row in the next grid.
  private static func grid(on terminal: Terminal, _ offset: Int) -> Grid {
    var grid = Grid(size: terminal.size, measure: terminal.measure)
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    for row in 0..<grid.size.height {
      let text = (0..<grid.size.width).map { letters[(row * 7 + $0 + offset) % letters.count] }
      grid.put(String(text), at: Position(row: row, column: 0))
      grid.put("日é", at: Position(row: row, column: grid.size.width / 2))
      for column in [0, grid.size.width - 1] { grid.put("│", at: Position(row: row, column: column)) }
    }
    return grid
  }
}
