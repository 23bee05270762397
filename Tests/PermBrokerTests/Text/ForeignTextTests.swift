import PermModel
import Testing

@Suite("Names and texts of programs")
struct ForeignTextTests {
  @Test(
    "Ordinary names pass",
    arguments: [
      "backup", "khal-sync", "https://example.org/tool.ts", "ana@host", "src/app/main.py", "in/out",
      "plug in", "Café", "фото", "写真", "my backup 2", "release.sh",
      String(repeating: "a", count: 64),
    ])
  func good(_ name: String) throws {
    try ForeignText.check(name: name)
  }

  @Test(
    "Names that deceive are refused",
    arguments: [
      ("", ForeignTextError.empty),
      ("a\0b", .forbidden("\0")),
      ("a\u{1b}[2J", .forbidden("\u{1b}")),
      ("a\nb", .forbidden("\n")),
      ("a\u{9b}b", .forbidden("\u{9b}")),
      ("abc\u{202e}cba", .forbidden("\u{202e}")),
      ("a\u{2066}b", .forbidden("\u{2066}")),
      ("back\u{200b}up", .forbidden("\u{200b}")),
      ("back\u{feff}up", .forbidden("\u{feff}")),
      ("back\u{ad}up", .forbidden("\u{ad}")),
      ("a\u{a0}b", .forbidden("\u{a0}")),
      ("a\u{2028}b", .forbidden("\u{2028}")),
      ("\u{e000}", .forbidden("\u{e000}")),
      ("backup      \u{2713} as seen", .sign("\u{2713}")),
      ("backup\u{b7}", .sign("\u{b7}")),
      ("! backup", .sign("!")),
      ("a \" b", .sign("\"")),
      ("\u{25cf} allowed", .sign("\u{25cf}")),
      ("\u{2715}", .sign("\u{2715}")),
      ("\u{25cb}\u{25d0}", .sign("\u{25cb}")),
      ("a\u{201d}", .sign("\u{201d}")),
      ("a\u{2502}b", .sign("\u{2502}")),
      ("\u{24b7}ackup", .sign("\u{24b7}")),
      ("my  backup", .blanksInARow),
      (" backup", .blankAtTheEnd),
      ("backup ", .blankAtTheEnd),
      ("Cafe\u{301}", .notComposed),
      ("/usr/bin/backup", .readsLikeAnEntry),
      ("\u{ff0f}usr\u{ff0f}bin", .readsLikeAnEntry),
      ("backup@/usr/bin/backup", .readsLikeAnEntry),
      ("everyone@/x", .readsLikeAnEntry),
      ("backup\u{ff20}\u{ff0f}usr", .readsLikeAnEntry),
      ("claude in /srv/app", .readsLikeAnEntry),
      ("claude IN /srv/app", .readsLikeAnEntry),
      ("claude in ~/app", .sign("~")),
      ("\u{212b}ngstrom", .notComposed),
      (String(repeating: "a", count: 65), .nameTooLong(cells: 65)),
      (String(repeating: "写", count: 33), .nameTooLong(cells: 66)),
    ])
  func bad(_ name: String, _ error: ForeignTextError) {
    #expect(throws: error) { try ForeignText.check(name: name) }
  }

  @Test("Marks that take no cells do not make a name endless")
  func stackedMarks() {
    #expect(throws: ForeignTextError.self) {
      try ForeignText.check(name: "a" + String(repeating: "\u{0323}", count: 10_000))
    }
  }

  @Test("A reason may hold anything but NUL, as long as it fits once it is written out")
  func reasons() throws {
    try ForeignText.check(reason: "")
    try ForeignText.check(reason: "weekly copy\nto the \u{202e}NAS")
    try ForeignText.check(reason: String(repeating: "a", count: 280))
    #expect(throws: ForeignTextError.reasonTooLong(cells: 281)) {
      try ForeignText.check(reason: String(repeating: "a", count: 281))
    }
    #expect(throws: ForeignTextError.reasonTooLong(cells: 288)) {
      try ForeignText.check(reason: String(repeating: "\u{202e}", count: 36))
    }
    #expect(throws: ForeignTextError.forbidden("\0")) { try ForeignText.check(reason: "a\0") }
  }

  @Test("A refusal names the character")
  func words() {
    #expect(
      "\(ForeignTextError.forbidden("\u{202e}"))"
        == "the character U+202E is not allowed: it cannot be seen as what it is")
    #expect("\(ForeignTextError.forbidden("\n"))".hasPrefix("the character U+000A"))
  }
}
