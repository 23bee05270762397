import Glibc
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

extension RealTerminalTests {
  @Suite("measuring")
  struct Measuring {
    init() { setlocale(LC_CTYPE, "C.UTF-8") }

    @Test(
      "characters take the cells that curses gives them",
      arguments: [
        ("a", 1), ("é", 1), ("e\u{301}", 1), ("日", 2), ("─", 1), ("●", 1), ("✕", 1), ("👍", 2), ("가", 2),
        ("ﾊ", 1),
      ] as [(Character, Int)])
    func widths(character: Character, width: Int) {
      #expect(LocaleCellMeasure().width(of: character) == width)
    }

    private static let words = [
      ("हिन्दी", 5), ("বাংলা", 5), ("தமிழ்", 4), ("తెలుగు", 5), ("น้ำใจ", 4), ("မြန်မာ", 5), ("ខ្មែរ", 4),
      ("ລາວ", 3), ("സുഖം", 3), ("한국어", 6), ("עברית", 5),
    ]

    @Test(
      "scripts with spacing marks stay as they are, and each part takes the cells of its letter",
      arguments: words)
    func spacingMarks(word: String, cells: Int) {
      let measure = LocaleCellMeasure()
      #expect(VisibleText.escaped(word, measure: measure) == word)
      #expect(measure.width(of: word) == cells)
    }

    // The emulator's table is older than some marks of Burmese.
    @Test("text behind such a word is where the grid has it", arguments: words.filter { $0.0 != "မြန်မာ" })
    func drawn(word: String, cells: Int) throws {
      let window = try TestWindow()
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      var grid = Grid(["│ \(word) │ and more", word], measure: terminal.measure)
      grid.put("│", at: Position(row: 1, column: 40))
      terminal.paint(grid)
      let picture = try window.picture()
      #expect(picture.lines == grid.picture.lines)
      #expect(picture.rows[1][40].text == "│")
      #expect(picture.rows[0][cells + 3].text == "│")
    }

    @Test("a line breaks before a letter, not before its vowel sign")
    func broken() {
      let lines = Typesetter(measure: LocaleCellMeasure()).wrap("किकिकिकिकि", to: 3)
      #expect(lines == ["कि", "कि", "कि", "कि", "कि"])
    }

    @Test(
      "characters that terminals disagree about, or that show nothing, cannot be shown",
      arguments: [
        "\u{1b}", "\u{7f}", "\u{85}", "\u{202e}", "\u{200b}", "\u{301}", "❤\u{fe0f}", "👨‍👩‍👧", "🇯🇵",
        "a\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}",
      ] as [Character])
    func unshowable(character: Character) {
      #expect(LocaleCellMeasure().width(of: character) == nil)
    }
  }
}
