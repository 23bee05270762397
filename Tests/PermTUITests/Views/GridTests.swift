import TerminalTesting
import Testing

@testable import PermTUI

/// A measure for tests: CJK ideographs are wide, combining marks and controls cannot stand alone.
struct TestCellMeasure: CellMeasure {
  func width(of character: Character) -> Int? {
    guard let first = character.unicodeScalars.first, first.value >= 0x20, first.value != 0x7f else {
      return nil
    }
    if first.properties.generalCategory == .nonspacingMark || first.properties.generalCategory == .format {
      return nil
    }
    return first.properties.isIdeographic ? 2 : 1
  }
}

@Suite("A grid")
struct GridTests {
  private func grid(_ width: Int, _ height: Int) -> Grid {
    Grid(size: Size(width: width, height: height), measure: TestCellMeasure())
  }

  @Test("Text is cut at the edge and at its limit, and tells the columns it used")
  func clipping() {
    var grid = grid(5, 1)
    #expect(grid.put("abcdefgh", at: Position(row: 0, column: 2)) == 3)
    #expect(grid.put("xyz", at: Position(row: 0, column: 0), limit: 2) == 2)
    #expect(grid.picture.lines == ["xyabc"])
  }

  @Test("Text outside of the grid is not drawn")
  func outside() {
    var grid = grid(3, 2)
    grid.put("no", at: Position(row: 2, column: 0))
    grid.put("no", at: Position(row: -1, column: 0))
    grid.put("abc", at: Position(row: 0, column: -2))
    grid.fill(Rect(row: 1, column: 2, width: 9, height: 9), with: "#")
    #expect(grid.picture.lines == ["c", "  #"])
  }

  @Test("Text is drawn and measured character by character, whatever stands beside ASCII", arguments: 0..<200)
  func mixedText(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let parts = ["ab", " ", "日", "–", "e\u{301}", "\u{301}", "\r\n", "\u{7f}", "\u{600}7", "👩‍👩‍👧"]
    let text = (0..<6).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    let (place, limit) = (
      Position(row: 0, column: .random(in: -3...3, using: &random)), Int.random(in: 0...9, using: &random)
    )
    var (drawn, expected) = (grid(8, 1), grid(8, 1))
    let used = drawn.put(text, at: place, limit: limit)
    var end = 0
    for character in text {
      let width = expected.measure.width(of: character) ?? 1
      guard end + width <= min(limit, 8 - place.column) else { break }
      end += expected.put("\(character)", at: Position(row: 0, column: place.column + end))
    }
    #expect(drawn == expected && used == end, "\(text.debugDescription)")
    let widths = text.map { expected.measure.width(of: $0) ?? 1 }
    #expect(expected.measure.width(of: text) == widths.reduce(0, +))
    let cut = Typesetter(measure: expected.measure).cut(text, to: limit)
    #expect(cut == text || limit == 0 && cut.isEmpty || cut.hasSuffix("…") && text.hasPrefix(cut.dropLast()))
    #expect(cut == text || expected.measure.width(of: cut) <= limit)
  }

  @Test("A wide character that does not fit is left out whole")
  func wideAtTheEdge() {
    var grid = grid(3, 1)
    #expect(grid.put("日本", at: Position(row: 0, column: 0)) == 2)
    #expect(grid.picture.lines == ["日"])
  }

  @Test("Half of a wide character never stays behind", arguments: [0, 1])
  func overwritingHalf(column: Int) {
    var grid = grid(4, 1)
    grid.put("日本", at: Position(row: 0, column: 0))
    grid.put("x", at: Position(row: 0, column: column))
    #expect(grid.picture.lines == [column == 0 ? "x 本" : " x本"])
  }

  @Test("The columns that changed hold every difference, and no half of a wide character", arguments: 0..<200)
  func changes(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let size = Size(width: 12, height: 1)
    func randomGrid() -> Grid {
      var grid = Grid(size: size, measure: TestCellMeasure())
      for _ in 0..<4 {
        let text = ["日本", "a", "日", "xyz", " "].randomElement(using: &random) ?? ""
        let style = [Style.normal, Style(.muted), Style(.denied, reverse: true)].randomElement(using: &random)
        let place = Position(row: 0, column: .random(in: 0..<12, using: &random))
        grid.put(text, at: place, style: style ?? .normal)
      }
      return grid
    }
    let before = randomGrid()
    let after = Bool.random(using: &random) ? randomGrid() : before
    let changed = after.changedColumns(inRow: 0, since: before)
    for column in 0..<size.width where !changed.contains(where: { $0.contains(column) }) {
      #expect(after[0, column].looksLike(before[0, column]))
    }
    for columns in changed {
      #expect(columns.contains { !after[0, $0].looksLike(before[0, $0]) })
      #expect(!after[0, columns.lowerBound].isContinuation)
      if columns.upperBound < size.width { #expect(!after[0, columns.upperBound].isContinuation) }
    }
    for (one, next) in zip(changed, changed.dropFirst()) { #expect(one.upperBound < next.lowerBound) }
  }

  @Test("Blanks look the same in all styles that do not show them")
  func blanks() {
    #expect(Cell(style: Style(.allowed, bold: true)).looksLike(.blank))
    #expect(!Cell(style: Style(reverse: true)).looksLike(.blank))
    #expect(!Cell(style: Style(underline: true)).looksLike(.blank))
    #expect(!Cell("a", style: Style(.allowed)).looksLike(Cell("a")))
  }

  @Test("Without more than ASCII, every drawing character has a stand-in of the same width")
  func ascii() {
    var grid = Grid(size: Size(width: 8, height: 1), measure: ASCIICellMeasure())
    #expect(grid.put("┌─● ✕…é", at: Position(row: 0, column: 0)) == 7)
    #expect(grid.picture.lines == ["+-* x~?"])
  }

  @Test("Random text never breaks the form of a grid")
  func wellFormed() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(seed: seed)
    let alphabet: [Character] = ["a", "日", "e\u{301}", "\u{202e}", "\u{7}", "👨‍👩‍👧", "─", "本", " "]
    var grid = grid(13, 5)
    for _ in 0..<2_000 {
      let text = String(
        (0..<Int.random(in: 0...9, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? " " }
      )
      grid.put(
        text,
        at: Position(
          row: Int.random(in: -1...5, using: &random), column: Int.random(in: -3...14, using: &random)))
      #expect(isWellFormed(grid), "seed \(seed)")
    }
  }

  private func isWellFormed(_ grid: Grid) -> Bool {
    (0..<grid.size.height).allSatisfy { row in
      let cells = Array(grid.row(row))
      return cells.indices.allSatisfy { index in
        let follows = index > 0 && isWide(cells[index - 1], grid)
        let isCut = index + 1 == cells.count && isWide(cells[index], grid)
        return cells[index].isContinuation == follows && !isCut
      }
    }
  }

  private func isWide(_ cell: Cell, _ grid: Grid) -> Bool {
    !cell.isContinuation && grid.measure.width(of: cell.glyph.character) == 2
  }
}

/// A small seeded generator, so that a failing case can be repeated.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

@Suite("A glyph")
struct GlyphTests {
  @Test(
    "keeps a character with all its marks",
    arguments: ["a", "日", "é", "e\u{301}", "ש\u{5c1}\u{5bc}\u{5b8}", "\u{10ffff}"])
  func roundTrip(character: Character) {
    #expect(Glyph(character).character == character)
  }
}
