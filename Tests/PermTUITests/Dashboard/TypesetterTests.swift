import Testing

@testable import PermTUI

@Suite("Fitting text")
struct TypesetterTests {
  private let typesetter = Typesetter(measure: TestCellMeasure())

  private static let alphabet: [String] = [
    "a", "word", " ", "  ", "日本", "é", "e\u{301}", "\u{202e}", "\u{1b}[31m", "\u{200b}", "👨‍👩‍👧", "\\", "\n",
    "\t", "/path/",
  ]

  private func random(_ random: inout SplitMix) -> String {
    (0..<Int.random(in: 0...30, using: &random)).map { _ in Self.alphabet.randomElement(using: &random) ?? ""
    }
    .joined()
  }

  @Test("A text never takes more cells than it may")
  func widths() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix(seed: seed)
    for _ in 0..<3_000 {
      let text = typesetter.visible(random(&generator))
      let limit = Int.random(in: 2...40, using: &generator)
      #expect(typesetter.width(of: typesetter.cut(text, to: limit)) <= limit, "seed \(seed)")
      #expect(typesetter.width(of: typesetter.cutStart(text, to: limit)) <= limit, "seed \(seed)")
      #expect(typesetter.width(of: typesetter.pad(text, to: limit)) == limit, "seed \(seed)")
    }
  }

  @Test("Breaking into lines keeps every character; only the blank at the break may stand outside")
  func wrapping() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix(seed: seed)
    for _ in 0..<3_000 {
      let text = typesetter.visible(random(&generator))
      let limit = Int.random(in: 2...40, using: &generator)
      let lines = typesetter.wrap(text, to: limit)
      #expect(lines.joined() == text, "seed \(seed)")
      for line in lines {
        let shown = line.last == " " ? line.dropLast() : line[...]
        #expect(typesetter.width(of: shown) <= limit, "seed \(seed)")
      }
    }
  }

  @Test("A cut text carries a mark")
  func marks() {
    #expect(typesetter.cut("abcdef", to: 4) == "abc…")
    #expect(typesetter.cut("日本語", to: 4) == "日…")
    #expect(typesetter.cutStart("abcdef", to: 4) == "…def")
    #expect(typesetter.cut("abcd", to: 4) == "abcd")
  }

  @Test(
    "A list of names says how many more there are",
    arguments: [
      (30, "one, two, three"), (14, "one and 2 more"), (13, "o… and 2 more"), (8, "… and 2…"),
    ])
  func lists(limit: Int, expected: String) {
    #expect(typesetter.list(["one", "two", "three"], of: 3, to: limit) == expected)
  }
}
