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
}
