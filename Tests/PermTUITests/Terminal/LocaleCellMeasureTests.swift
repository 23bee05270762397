import Glibc
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

    @Test(
      "what terminals disagree about, or what shows nothing, cannot be shown",
      arguments: [
        "\u{1b}", "\u{7f}", "\u{85}", "\u{202e}", "\u{200b}", "\u{301}", "❤\u{fe0f}", "👨‍👩‍👧", "🇯🇵",
        "a\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}",
      ] as [Character])
    func unshowable(character: Character) {
      #expect(LocaleCellMeasure().width(of: character) == nil)
    }
  }
}
