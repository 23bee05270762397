import PermModel
import Testing

@testable import PermTUI

@Suite("Foreign text is shown as it is")
struct VisibleTextTests {
  private let measure = TestCellMeasure()

  /// Deceptive text; a test's output shows it in its safe form.
  struct Deception: CustomTestStringConvertible {
    let text: String
    let shown: String

    init(_ text: String, _ shown: String) {
      self.text = text
      self.shown = shown
    }

    var testDescription: String { shown }
  }

  @Test(
    "Deceptive text is written out",
    arguments: [
      Deception("a\u{1b}[2Jb", #"a\u{1b}[2Jb"#),
      Deception("one\ntwo\r\tthree", #"one\ntwo\r\tthree"#),
      Deception("photo\u{202e}gpj.exe", #"photo\u{202e}gpj.exe"#),
      Deception("zero\u{200b}width\u{feff}", #"zero\u{200b}width\u{feff}"#),
      Deception("csi \u{9b}31m", #"csi \u{9b}31m"#),
      Deception("no\u{a0}break\u{3000}wide", #"no\u{a0}break\u{3000}wide"#),
      Deception("tag\u{e0041}", #"tag\u{e0041}"#),
      Deception("filler\u{3164}\u{2800}", #"filler\u{3164}\u{2800}"#),
      Deception("nul\0", #"nul\u{0}"#),
      Deception("private\u{e000}", #"private\u{e000}"#),
    ])
  func escapes(deception: Deception) {
    #expect(VisibleText.escaped(deception.text, measure: measure) == deception.shown)
  }

  @Test("A backslash is doubled, so that an escape cannot be forged")
  func backslash() {
    #expect(VisibleText.escaped(#"a\u{1b}"#, measure: measure) == #"a\\u{1b}"#)
  }

  @Test("Ordinary writing stays", arguments: ["backup", "Büro", "写真", "تقويم", "🎥", "naïve café – “x”"])
  func ordinary(text: String) {
    #expect(VisibleText.escaped(text, measure: measure) == text)
  }

  @Test("Marks belong on a letter, and not too many of them")
  func marks() {
    #expect(VisibleText.escaped("e\u{301}", measure: measure) == "e\u{301}")
    #expect(VisibleText.escaped("\u{301}e", measure: measure) == "\\u{301}e")
    #expect(VisibleText.escaped("\u{200b}\u{301}", measure: measure) == #"\u{200b}\u{301}"#)
    let stacked = "e" + String(repeating: "\u{301}", count: 5)
    #expect(VisibleText.escaped(stacked, measure: measure) == "e\u{301}\u{301}\u{301}\u{301}\\u{301}")
  }

  @Test(
    "Right-to-left runs are isolated, so that what is around them keeps its place",
    arguments: [
      ("~/תמונות/2024/x", "~/\u{2068}תמונות\u{2069}/2024/x"),
      ("allow תמונות יפות for me", "allow \u{2068}תמונות יפות\u{2069} for me"),
      ("תקייה  files:read", "\u{2068}תקייה\u{2069}  files:read"), ("شَمس", "\u{2068}شَمس\u{2069}"),
      ("plain – and café", "plain – and café"),
    ])
  func isolated(line: String, shown: String) {
    #expect(VisibleText.isolated(line).unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test("A terminal without UTF-8 gets ASCII")
  func asciiOnly() {
    #expect(VisibleText.escaped("Büro 1", measure: ASCIICellMeasure()) == #"B\u{fc}ro 1"#)
  }
}
