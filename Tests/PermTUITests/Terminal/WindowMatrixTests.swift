import Glibc
import TerminalTesting
import Testing

@testable import PermTUI

extension RealTerminalTests {
  @Suite("in each window")
  struct InEachWindow {
    private static let types = [
      "xterm-256color", "xterm-direct", "tmux-256color", "screen", "linux", "vt220",
    ]
    private static let sizes = [
      (1, 1), (20, 5), (40, 10), (60, 15), (80, 24), (100, 40), (132, 43), (200, 60),
    ]
    .map { Size(width: $0.0, height: $0.1) }

    /// The sizes that the variables name: none, or one that is too small or too large for every window.
    private static let claims = [nil, "3", "999"] as [String?]

    @Test(
      "exactly the grid's cells are drawn, whatever LINES and COLUMNS say", arguments: types,
      ["C.UTF-8", "C", "xx_XX.UTF-8"])
    func cells(type: String, locale: String) throws {
      defer { claim(nil) }
      for (claimed, size) in Self.claims.flatMap({ claimed in Self.sizes.map { (claimed, $0) } }) {
        claim(claimed)
        let window = try TestWindow(columns: size.width, rows: size.height)
        let terminal = try Terminal(window.options(type: type) { $0.locale = locale })
        defer { terminal.close() }
        #expect(terminal.size == size)
        // The second frame has other signs in every cell, and the third is painted in a larger window.
        for offset in 0...1 { try expect(pattern(on: terminal, offset), in: window, on: terminal) }
        window.resize(columns: size.width + 7, rows: size.height + 3)
        terminal.resize()
        try expect(pattern(on: terminal, 2), in: window, on: terminal)
      }
    }

    private func claim(_ cells: String?) {
      for name in ["LINES", "COLUMNS"] {
        if let cells { setenv(name, cells, 1) } else { unsetenv(name) }
      }
    }

    private func expect(_ grid: Grid, in window: TestWindow, on terminal: Terminal) throws {
      terminal.paint(grid)
      #expect(try window.picture().lines == grid.picture.lines)
    }

    /// A grid with a sign in each cell, a frame around it, and a wide character in each row.
    private func pattern(on terminal: Terminal, _ offset: Int) -> Grid {
      var grid = Grid(size: terminal.size, measure: terminal.measure)
      let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
      for row in 0..<terminal.size.height {
        let text = (0..<terminal.size.width).map { letters[(row * 7 + $0 + offset) % letters.count] }
        grid.put(String(text), at: Position(row: row, column: 0))
        grid.put("日é", at: Position(row: row, column: terminal.size.width / 2))
        for column in [0, terminal.size.width - 1] { grid.put("│", at: Position(row: row, column: column)) }
      }
      return grid
    }
  }
}
