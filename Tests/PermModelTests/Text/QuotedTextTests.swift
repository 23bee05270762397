import PermModel
import Testing

@Suite("Quoted text")
struct QuotedTextTests {
  @Test(
    "is a single word for a shell, whatever it holds",
    arguments: [
      ("backup", "backup"), ("photos:read", "photos:read"), ("my job", "'my job'"), ("", "''"),
      ("a'; rm -rf ~; '", "'a'\\''; rm -rf ~; '\\'''"), ("$(x)", "'$(x)'"), ("é", "'é'"),
      // An accent on a quotation mark does not hide the mark.
      ("a'\u{301}; rm -rf ~", "'a'\\''\u{301}; rm -rf ~'"), ("a\u{301}", "'a\u{301}'"),
    ])
  func shell(word: String, expected: String) {
    #expect(Array(word.shellQuoted.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test("is a plain line for a program whose name has a quotation mark with an accent")
  func commandLine() {
    #expect(ShellLine(word: "a'\u{301}; reboot").text == "'a'\\''\u{301}; reboot'")
    #expect(ShellLine(word: "A=b").text == "'A=b'")
  }

  @Test("cannot seem to end early on the screen")
  func screen() {
    #expect(VisibleText.quoted("me\"\u{301} asks") == "\"me\\\"\u{301} asks\"")
  }

  @Test("is JSON in which everything that could deceive is escaped")
  func json() {
    #expect("a\"\u{301}\\\n\t".jsonQuoted == "\"a\\\"\u{301}\\\\\\n\\t\"")
    #expect("\u{7}\u{202e}é\u{1f469}\u{200d}".jsonQuoted == "\"\\u0007\\u202eé\u{1f469}\\u200d\"")
  }
}
