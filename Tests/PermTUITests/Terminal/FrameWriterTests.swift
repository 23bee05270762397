import Testing

@testable import PermTUI

@Suite("The bytes of a frame")
struct FrameWriterTests {
  /// A terminal in which each role but the first has a colour of its own.
  private static let dialect = dialect()

  private static func dialect(erasesWithinRow: Bool = true, scrolls: Bool = true) -> TerminalDialect {
    TerminalDialect(
      colors: ["", "38;5;243", "36", "32", "31", "33"].map { Array($0.utf8) }, Palette(depth: .extended),
      erasesWithinRow: erasesWithinRow, scrolls: scrolls)
  }

  private static func grid(_ lines: [String], _ cursor: Position? = nil) -> Grid {
    var grid = Grid(lines, width: 20, height: 6, measure: TestCellMeasure())
    grid.cursor = cursor.map { Grid.Cursor(position: $0) }
    return grid
  }

  /// Returns the bytes between two grids of six rows with twenty columns. `^` stands for `ESC [`.
  private func bytes(
    from shown: Grid, to grid: Grid, cursorIsKnown: Bool = true, _ dialect: TerminalDialect = Self.dialect
  ) -> String {
    let bytes = FrameWriter.bytes(from: shown, cursorIsKnown: cursorIsKnown, to: grid, dialect)
    return String(decoding: bytes, as: UTF8.self).replacing("\u{1b}[", with: "^")
  }

  /// Returns the bytes with the cursor in the last row before and after.
  private func bytes(from lines: [String], to newLines: [String], _ dialect: TerminalDialect = Self.dialect)
    -> String
  {
    bytes(from: Self.grid(lines), to: Self.grid(newLines), dialect)
  }

  @Test("are none if nothing differs")
  func same() { #expect(bytes(from: ["one"], to: ["one"]) == "") }

  @Test(
    "move the cursor in a short way that is certain",
    arguments: [
      // In the same row, in the next one, and in another one.
      ("one       two", "One       Two", "^HO^11GT^6H"),
      ("\none\ntwo", "\nOne\nTwo", "^2HO\n\rT^6H"),
      ("\n one\n two", "\n One\n Two", "^2;2HO\n^2GT^6H"),
      ("one\n\n\ntwo", "One\n\n\nTwo", "^HO^4HT^6H"),
      // The last row, where the cursor is.
      ("\n\n\n\n\none", "\n\n\n\n\nOne", "O\r"),
      ("\n\n\n\n\n one", "\n\n\n\n\n One", "^2GO\r"),
      // The last cell of the row is filled.
      ("\n                  ab\nc", "\n                  aB\nC", "^2;20HB^3HC^6H"),
      // Terminals disagree about the width of these characters, of which the last might end in the next row.
      ("日", "本", "^H本^6H"), ("日   b\nc", "本   B\nC", "^H本^3G   B\n\rC^6H"),
      ("                日本\nc", "                本日\nC", "^1;17H本日^2HC^6H"),
      ("☺      b", "☹      B", "^H☹^8GB^6H"), ("☺  b", "☹  B", "^H☹^2G  B^6H"),
      ("–      b", "—      B", "^H—^8GB^6H"),
      // A terminal that gives each mark a cell of its own fills the row.
      (
        "                e\u{301}\u{302}x\nc", "                y\u{301}\u{302}x\nC",
        "^1;17Hy\u{301}\u{302}^2HC^6H"
      ),
      ("         e\u{301}\u{302}x\nc", "         y\u{301}\u{302}x\nC", "^1;10Hy\u{301}\u{302}\n\rC^6H"),
      // Few equal cells are sent again.
      ("a bc d", "A bc D", "^HA bc D^6H"), ("a bcd d", "A bcd D", "^HA^7GD^6H"),
    ])
  func movements(old: String, new: String, expected: String) {
    #expect(bytes(from: lines(old), to: lines(new)) == expected)
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(
    "erase many blanks and write few",
    arguments: [
      ("one two three", "one two", "^1;9H^K^6H"), ("one two", "one", "^1;5H   ^6H"),
      ("one", "on", "^1;3H ^6H"), ("one", "", "^H   ^6H"), ("    one two", "", "^H^K^6H"),
      ("one two", "two", "^Htwo^K^6H"), ("abcdefghijklmn", "a            n", "^1;2H^12X^6H"),
      ("abcdefghijklmn", "A            N", "^HA^12X^14GN^6H"), ("abcdefg", "a     g", "^1;2H     ^6H"),
      ("abcdefg          xyz", "abcdefg", "^1;18H   ^6H"),
      ("日本日本日本日本日", "日            本本", "^1;3H^12X^15G本本^6H"),
    ])
  func blanks(old: String, new: String, expected: String) {
    #expect(bytes(from: [old], to: [new]) == expected)
  }

  @Test("write all blanks within a row if the terminal cannot erase them")
  func blanksWritten() {
    let written = bytes(
      from: ["abcdefghijklmn"], to: ["a            n"], Self.dialect(erasesWithinRow: false))
    #expect(written == "^1;2H            ^6H")
  }

  @Test(
    "select a look by the shortest sequence, and end without one",
    arguments: [
      (Style(.allowed), Style(.allowed, bold: true), "^H^32ma^1mb^6H^m"),
      (Style(.allowed, bold: true), Style(.allowed), "^H^1;32ma^0;32mb^6H^m"),
      (Style(.allowed), Style(.denied), "^H^32ma^31mb^6H^m"),
      (Style(.allowed), .normal, "^H^32ma^mb^6H"),
      (Style(.allowed), Style(bold: true), "^H^32ma^1;39mb^6H^m"),
      (.normal, Style(.muted, reverse: true), "^Ha^7;38;5;243mb^6H^m"),
      (Style(dim: true, underline: true), .normal, "^H^2;4ma^mb^6H"),
    ])
  func looks(one: Style, other: Style, expected: String) {
    var grid = Self.grid([])
    grid.put("a", at: Position(row: 0, column: 0), style: one)
    grid.put("b", at: Position(row: 0, column: 1), style: other)
    #expect(bytes(from: Self.grid([]), to: grid) == expected)
  }

  @Test("write blanks in the look of the text before them, unless a blank would show it")
  func blanksBetweenLooks() {
    var grid = Self.grid([])
    grid.put("a", at: Position(row: 0, column: 0), style: Style(.allowed))
    grid.put(" b", at: Position(row: 0, column: 1), style: Style(.allowed))
    grid.put("c ", at: Position(row: 1, column: 0), style: Style(reverse: true))
    grid.put(" d", at: Position(row: 1, column: 2))
    #expect(bytes(from: Self.grid([]), to: grid) == "^H^32ma b\n\r^7;39mc ^m d^6H")
    #expect(bytes(from: grid, to: Self.grid([])) == "^H   \n\r^K^6H")
  }

  @Test("leave out attributes that the terminal does not have, or not together with a colour")
  func missingAttributes() {
    let dialect = TerminalDialect(
      colors: ["", "38;5;243", "36", "32", "31", "33"].map { Array($0.utf8) }, Palette(depth: .extended),
      attributes: [.bold, .dim, .underline], colorless: .dim)
    var grid = Self.grid([])
    grid.put("a", at: Position(row: 0, column: 0), style: Style(.muted, dim: true))
    grid.put("b", at: Position(row: 0, column: 1), style: Style(dim: true))
    grid.put("c", at: Position(row: 0, column: 2), style: Style(bold: true, reverse: true))
    #expect(bytes(from: Self.grid([]), to: grid, dialect) == "^H^38;5;243ma^2;39mb^0;1mc^6H^m")
  }

  @Test(
    "never contain a control character of a text",
    arguments: [("\u{1b}", "?"), ("\u{7}", "?"), ("\u{7f}", "?"), ("\u{9b}", "?"), ("\r\n", "??")]
      as [(Character, String)])
  func control(character: Character, shown: String) {
    var grid = Grid(size: Size(width: 20, height: 6), measure: CarelessMeasure())
    grid.put("a\(character)b", at: Position(row: 0, column: 0))
    #expect(bytes(from: Self.grid([]), to: grid).hasPrefix("^Ha\(shown)b"))
  }

  /// A measure with a mistake: it lets control characters through.
  private struct CarelessMeasure: CellMeasure {
    func width(of character: Character) -> Int? { 1 }
  }

  @Test("say where the cursor is and which look is selected after others wrote")
  func others() {
    let grid = Self.grid(["a"], Position(row: 0, column: 1))
    #expect(bytes(from: Self.grid([]), to: grid, cursorIsKnown: false) == "^H^ma")
    #expect(bytes(from: Self.grid([], Position(row: 0, column: 0)), to: grid) == "a")
  }

  @Test("place the cursor, also outside of the grid")
  func cursor() {
    let grid = { Self.grid(["a"], $0) }
    #expect(bytes(from: grid(Position(row: 0, column: 1)), to: grid(Position(row: 0, column: 3))) == "^4G")
    #expect(bytes(from: grid(nil), to: grid(Position(row: 9, column: 30))) == "^20G")
  }

  @Test("move rows that only change their place")
  func scrolling() {
    let old = ["title", "alpha alpha", "beta beta beta", "gamma gamma", "delta delta delta"]
    let up = ["title", "beta beta beta", "gamma gamma", "delta delta delta", "epsilon"]
    #expect(bytes(from: old, to: up) == "^2;5r^1S^r^5Hepsilon\n\r")
    #expect(bytes(from: up, to: old) == "^2;5r^1T^r^2Halpha alpha^6H")
    let plain = bytes(from: old, to: up, Self.dialect(scrolls: false))
    #expect(!plain.contains("r^") && plain.contains("beta") && plain.contains("delta"))
  }

  @Test("move no rows if that would not save much")
  func notScrolling() {
    #expect(ScrolledRows(from: Self.grid(["ab", "cd", "ef"]), to: Self.grid(["cd", "ef", ""])) == nil)
    #expect(ScrolledRows(from: Self.grid([]), to: Self.grid(["one", "two"])) == nil)
    let long = ["the first long line", "the second long line", "the third long line."]
    let found = ScrolledRows(from: Self.grid(long), to: Self.grid(Array(long.dropFirst(2))))
    #expect(found == nil, "the row that becomes free costs as much as the one that is moved saves")
  }
}
