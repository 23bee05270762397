import TerminalTesting
import Testing

@testable import PermTUI

extension RealTerminalTests {
  /// The bytes depend on the cursor's position, the selected look, and the terminal's description.
  @Suite("any changes")
  struct AnyChanges {
    @Test(
      "show what a new start shows", arguments: 1...4 as ClosedRange<UInt64>,
      ["xterm-256color", "xterm", "tmux-256color", "screen", "linux", "vt220", "vt100"])
    func changes(seed: UInt64, type: String) throws {
      let window = try TestWindow(columns: 30, rows: 10)
      let terminal = try Terminal(window.options(type: type))
      defer { terminal.close() }
      var dice = Dice(state: seed)
      var rows = (0..<10).map { _ in dice.row() }
      for frame in 1...200 {
        for _ in 0...dice.number(below: 3) { dice.change(&rows) }
        let grid = dice.grid(rows, on: terminal)
        terminal.paint(grid)
        let changed = try window.picture()
        #expect(changed.lines == grid.picture.lines)
        if type == "xterm-256color" { changed.expectLooks(of: grid) }
        #expect(changed.cursor?.row == grid.cursor?.position.row)
        #expect(changed.cursor?.column == grid.cursor?.position.column)
        guard frame.isMultiple(of: 8) else { continue }
        terminal.invalidate()
        terminal.paint(grid)
        try changed.expectSame(as: window.picture())
      }
    }
  }
}

extension ScreenPicture {
  /// Expects that this picture, after changes, is the one that a new start shows.
  func expectSame(as repainted: ScreenPicture) {
    #expect(lines == repainted.lines)
    for (one, other) in zip(rows.joined(), repainted.rows.joined()) where one != other {
      #expect(one.text == " " && other.text == " ", "only a blank can have another colour")
      #expect(one.showsBlanks == other.showsBlanks)
    }
  }
}

extension ScreenPicture {
  /// Expects that the screen, with 256 colours, shows the grid in its styles.
  fileprivate func expectLooks(of grid: Grid) {
    for row in 0..<grid.size.height {
      for column in 0..<grid.size.width where !grid[row, column].isPlainBlank {
        let style = grid[row, column].style
        var words = [(style.bold, "bold"), (style.underline, "underline"), (style.reverse, "reverse")]
          .filter(\.0).map(\.1)
        if let color = Palette.color(of: style.role, depth: .extended) { words.append("fg=\(color)") }
        #expect(rows[row][column].style == words.joined(separator: " "))
      }
    }
  }
}

extension ScreenPicture.Cell {
  fileprivate var showsBlanks: [String] {
    ["reverse", "underline", "bg="].filter { style.contains($0) }
  }
}

/// Numbers that look random, and are the same for the same seed.
private struct Dice: RandomNumberGenerator {
  typealias Part = (column: Int, text: String, style: Style)

  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ (state >> 29)) &* 0xbf58_476d_1ce4_e5b9
  }

  mutating func number(below limit: Int) -> Int { .random(in: 0..<limit, using: &self) }

  mutating func row() -> [Part] {
    let texts = [
      "", "one", "– two ──", "日本 and more", "a text that fills the row ….,:", "日本日本日本日本日本日本日本x", "e\u{301}",
      "      three",
    ]
    let styles = [
      .normal, Style(.muted), Style(.accent, bold: true), Style(.denied, reverse: true),
      Style(underline: true),
    ]
    return (0...number(below: 3)).map { part in
      (part * number(below: 12), texts[number(below: texts.count)], styles[number(below: styles.count)])
    }
  }

  /// Changes a row, or scrolls some.
  mutating func change(_ rows: inout [[Part]]) {
    guard number(below: 2) == 0 else { return rows[number(below: rows.count)] = row() }
    let (top, bottom) = (number(below: 3), 6 + number(below: 4))
    for _ in 0...number(below: 3) {
      if state.isMultiple(of: 2) {
        rows.insert(row(), at: bottom)
        rows.remove(at: top)
      } else {
        rows.remove(at: bottom)
        rows.insert(row(), at: top)
      }
    }
  }

  mutating func grid(_ rows: [[Part]], on terminal: Terminal) -> Grid {
    var grid = Grid(size: terminal.size, measure: terminal.measure)
    for (place, parts) in rows.enumerated() {
      for part in parts {
        // Curses shows a wrong character in the last cell of the screen if one of two cells is before it. No view has
        // foreign text there.
        let text = place == rows.count - 1 ? part.text.replacing("日本", with: "two ") : part.text
        grid.put(text, at: Position(row: place, column: part.column), style: part.style)
      }
    }
    grid.cursor = .init(position: Position(row: number(below: 10), column: number(below: 30)))
    return grid
  }
}
