import Testing

@testable import PermModel

@Suite("A long line on a plain terminal")
struct LineBreakerTests {
  private func lines(_ text: String, _ width: Int? = 20) -> [String] { LineBreaker(width: width).lines(text) }

  @Test("is left as it is if it fits")
  func short() {
    #expect(lines("Name: \"backup\"") == ["Name: \"backup\""])
    #expect(lines("") == [""])
    #expect(lines("one\n\ntwo\n") == ["one", "", "two", ""])
  }

  @Test("is broken after a blank, and each further line begins with a mark")
  func words() {
    #expect(
      lines("Reason: to copy all of it again") == ["Reason: to copy ", "  | all of it again"])
  }

  @Test("is broken anywhere rather than after a blank that would leave the line empty")
  func path() {
    #expect(lines("File: /srv/pictures/2026/a") == ["File: /srv/pictures", "  | /2026/a"])
  }

  @Test(
    "never reaches the terminal's last column",
    arguments: [
      "x", " ", "日", "e\u{301}", "🙂", "a b", "日 x", "\\u{202e}",
    ])
  func width(unit: String) {
    let text = String(repeating: unit, count: 300)
    for width in [1, 6, 7, 20, 80, 500] {
      let lines = LineBreaker(width: width).lines(text)
      for line in lines { #expect(ForeignText.cells(of: line) < max(width, 7)) }
      for line in lines.dropFirst() { #expect(line.hasPrefix(LineBreaker.mark)) }
      let whole = lines[0] + lines.dropFirst().map { $0.dropFirst(LineBreaker.mark.count) }.joined()
      #expect(whole == text)
    }
  }

  @Test("has at most 72 cells if the terminal's width is unknown")
  func unknownWidth() {
    #expect(lines(String(repeating: "x", count: 73), nil).map(\.count) == [72, 5])
  }
}
