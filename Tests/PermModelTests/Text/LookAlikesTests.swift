import Testing

@testable import PermModel

@Suite("Names that are read as others")
struct LookAlikesTests {
  @Test(
    "A name is doubted where letters stand for others that they look like",
    arguments: [
      "back\u{430}p", "b\u{251}ckup", "\u{24b7}ackup", "\u{212f}vil", "b\u{ff41}ckup", "\u{1d41b}ackup",
      "back\u{2b9}\u{2160}",
      "\u{455}\u{441}\u{43e}\u{440}\u{435}", "\u{3bf}\u{3c1}\u{3b5}n", "\u{2170}\u{2170}", "\u{a4d0}ackup",
      "\u{2c81}pp", "\u{13ac}vil", "s\u{585}",
    ])
  func doubted(name: String) {
    #expect(LookAlikes.doubt(about: name) != nil)
  }

  @Test(
    "Plain words of any script are not",
    arguments: [
      "backup", "khal-sync", "Café", "naïve", "календарь", "резерв", "写真", "ημερολόγιο", "Ærø", "한국어",
      "גיבוי",
    ])
  func plain(name: String) {
    #expect(LookAlikes.doubt(about: name) == nil)
  }

  @Test(
    "Two names that look alike have one skeleton",
    arguments: [
      ("scope", "\u{455}\u{441}\u{43e}\u{440}\u{435}"), ("backup", "b\u{251}ckup"), ("evil", "\u{212f}vil"),
      ("modem", "modern"),
      ("job1", "jobl"), ("IO", "l0"), ("cafe", "café"), ("Backup", "\u{24b7}ackup"),
      ("abc09", "\u{1d41a}\u{1d41b}\u{1d41c}\u{1d7ce}\u{1d7d7}"),
    ])
  func skeletons(one: String, other: String) {
    #expect(LookAlikes.skeleton(of: one) == LookAlikes.skeleton(of: other))
  }

  @Test(
    "Different names keep different skeletons",
    arguments: [("backup", "backups"), ("календарь", "календари")])
  func different(one: String, other: String) {
    #expect(LookAlikes.skeleton(of: one) != LookAlikes.skeleton(of: other))
  }

  @Test("A word stays bare in a sentence; anything else stands in quotation marks")
  func framed() {
    for word in ["backup", "khal-sync", "release.sh", "Café", "写真", "v2"] {
      #expect(VisibleText.framed(word) == word)
    }
    for text in ["my backup", "backup, allowed", "a (b)", ""] {
      #expect(VisibleText.framed(text) == "\"\(text)\"")
    }
    #expect(VisibleText.quoted("a\"b") == "\"a\\\"b\"")
  }

  @Test("Each pair of Unicode's list has one skeleton, unless another letter was chosen here")
  func unicode() throws {
    let pairs = LookAlikes.unicode.split(whereSeparator: \.isWhitespace)
    #expect(pairs.count > 400)
    let chosen: Set<Unicode.Scalar> = ["\u{28b}", "\u{1bd}", "\u{4cf}"]
    for pair in pairs {
      let sides = pair.split(separator: "=")
      let letter = try #require(UInt32(sides[0], radix: 16).flatMap(Unicode.Scalar.init))
      let skeletons = [String(letter), String(sides[1])].map { LookAlikes.skeleton(of: $0) }
      #expect(skeletons[0] == skeletons[1] || chosen.contains(letter), "\(pair)")
    }
  }

  @Test(
    "Names in letters of one language are beyond doubt",
    arguments: ["Cœur", "Æther", "straße", "ĳssel", "صور backup"])
  func ordinary(name: String) { #expect(LookAlikes.doubt(about: name) == nil) }

  @Test(
    "A name that only reads like an ASCII one is in doubt",
    arguments: [("\u{13ac}\u{13e2}", "EP"), ("\u{a4d0}\u{a4ee}", "BA")])
  func foreign(name: String, read: String) {
    #expect(LookAlikes.doubt(about: name) == "its name reads as \(read), and is written with other letters")
  }
}
