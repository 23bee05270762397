import Testing
import Waiting

@testable import PermModel

@Suite("Reading the part of TOML that settings use", .usesOneThread)
struct ConfigurationReaderTests {
  func read(_ text: String) -> ConfigurationEntries {
    ConfigurationReader.read(text, file: "config.toml").entries
  }

  func problems(_ text: String) -> [String] {
    ConfigurationReader.read(text, file: "c").problems.map(\.description)
  }

  /// Returns the value that a text sets for `x`, if the text has no mistake.
  func value(_ text: String) -> ConfigurationValue? {
    let (entries, problems) = ConfigurationReader.read("x = " + text, file: "c")
    return problems.isEmpty ? entries["x"] : nil
  }

  @Test(
    "A file of nothing but mistakes is read in a time that grows with its length only",
    .timeLimit(.minutes(5)))
  func manyMistakes() {
    let text = (0..<100_000).map { "wrong\($0) here\n" }.joined()
    #expect(ConfigurationReader.read(text, file: "config.toml").problems.count >= 100)
  }

  @Test(
    "Values of every kind",
    arguments: [
      (#""a \"b\" \\ \t \u00e9 \U0001F600""#, .text("a \"b\" \\ \t é 😀")), (#"'C:\new'"#, .text(#"C:\new"#)),
      (#""""#, .text("")), ("''", .text("")), ("12", .integer(12)), ("-7", .integer(-7)), ("+7", .integer(7)),
      ("1_000", .integer(1000)), ("true", .flag(true)), ("false # off", .flag(false)), ("[]", .list([])),
      ("[1, [2],]", .list([.integer(1), .list([.integer(2)])])),
      ("[ # why\n  'a',\n\n  'b' # last\n]", .list([.text("a"), .text("b")])),
      ("\"\"\"a \"b\" \"\"c\"\"\"", .text("a \"b\" \"\"c")), ("\"\"\"a\"\"\"\"\"", .text("a\"\"")),
      ("'''\na\nb\\n'''", .text("a\nb\\n")), ("\"\"\"\r\na \\  \n\n   b\"\"\"", .text("a b")),
      ("\"\"\"[é]\n[b]\"\"\"", .text("[é]\n[b]")),
    ] as [(String, ConfigurationValue)])
  func values(text: String, expected: ConfigurationValue) { #expect(value(text) == expected) }

  @Test("Inline tables, quoted names and names with dots")
  func tables() {
    let inline = read("x = { a = 1, 'b c'.d = \"2\" }")["x"]
    #expect(inline == .table(read("a = 1\n\"b c\".d = '2'")))
    #expect(inline == read("[x]\na = 1\n[x.'b c']\nd = '2'")["x"])
    #expect(read("x = {}")["x"] == .table(ConfigurationEntries()))
  }

  @Test("A table may come after the tables inside it, and each table of a list has its own")
  func sections() {
    #expect(read("[a]\nb.c = 1\nd = 2") == read("a.b.c = 1\na.d = 2"))
    #expect(read("[a.b]\nc = 1\n[a]\nd = 2") == read("a.b.c = 1\na.d = 2"))
    let listed = read("[[r]]\nn = 1\n[r.s]\nn = 2\n[[r]]\n[r.s]\nn = 3")
    #expect(listed == read("r = [{ n = 1, s = { n = 2 } }, { s = { n = 3 } }]"))
  }

  @Test("Blank lines, comments, line ends of Windows and a byte order mark")
  func blanks() {
    #expect(read("\u{feff}# first\r\n\r\n  [a] # it\r\n\tb = 1\r\n") == read("[a]\nb=1"))
  }

  private static func notAValue(_ word: String) -> String {
    "\(word) is neither a whole number nor true or false; write text in quotes: \"\(word)\""
  }

  @Test(
    "A mistake is reported with its line, and the settings around it count",
    arguments: [
      ("y", "= and a value must follow the name"), ("y =", "a value is missing"),
      ("y = yes", notAValue("yes")),
      ("y = 1.5", notAValue("1.5")), ("y = 1979-05-27", notAValue("1979-05-27")),
      ("y = 99999999999999999999", notAValue("99999999999999999999")),
      ("y = 1 z = 2", "only a comment may follow here; write one setting a line"),
      ("= 1", "a name is missing; names have a to z, 0 to 9, - and _, or quotes around them"),
      ("é = 1", "a name is missing; names have a to z, 0 to 9, - and _, or quotes around them"),
      ("y = \"a", "the text has no \" at its end, or a control character inside"),
      ("y = \"a\\", "a backslash must be written twice in \"…\"; in '…' it needs nothing"),
      ("y = 'a\u{1b}'", "the text has no ' at its end, or a control character inside"),
      ("y = '''a", "the text has no ''' at its end, or a control character inside"),
      (#"y = "\q""#, #"a backslash must be written twice in "…"; in '…' it needs nothing"#),
      (#"y = "\ud800""#, #"\u must be followed by 4 digits of a character, \U by 8"#),
      (#"y = "\u+123""#, #"\u must be followed by 4 digits of a character, \U by 8"#),
      ("y = [1 2]", "the list needs a comma between its values, and ] at its end"),
      ("y = [1,", notAValue("last")),
      ("y = [}", "a value is missing"),
      ("y = { a = 1", "the table needs a comma between its settings, and } at its end"),
      ("y = { a }", "= and a value must follow the name"),
      ("'''y\n''' = 1", "a name must be in one line"),
      ("first = 2", #""first" is set twice; the first counts"#),
      ("first.y = 2", #""first" is set twice; the first counts"#),
      ("a.b.c.d.e.f.g.h.i = 1", "at most 8 names may be joined with dots"),
      ("y = [[[[[[[[[1]]]]]]]]]", "lists and tables may be at most 8 deep inside each other"),
    ])
  func mistakes(line: String, message: String) throws {
    let (entries, problems) = ConfigurationReader.read("first = 1\n\(line)\nlast = 3\n", file: "c")
    #expect(problems.first?.description == "c:2: \(message)")
    #expect(entries["first"] == .integer(1))
    #expect(entries["last"] == .integer(3))
    #expect(entries.isDamaged)
  }

  @Test(
    "Below a header that cannot be read no setting counts, and the next header does",
    arguments: [
      "[é]", "[!]", "[.x]", "[", "[]", "[a", "[[a]", "[a] b", "[[[x]]]", " [ \u{fffd}", "[{x}]", "[\u{5b8}x]",
    ])
  func headers(_ header: String) {
    let (entries, problems) = ConfigurationReader.read("\(header)\ny = 1\n[b]\nz = 2", file: "c")
    #expect(problems.map(\.place) == [.line(1)], "\(problems)")
    #expect(entries == read("[b]\nz = 2"))
  }

  @Test("A table or a key that is there twice is reported, and the first counts")
  func twice() {
    #expect(
      problems("[a]\nx = 1\n[a]\nx = 2") == ["c:3: [a] is there twice; put all its settings below the first"])
    #expect(read("[a]\nx = 1\n[a]\nx = 2") == read("[a]\nx = 1"))
    #expect(problems("a = 1\n[a.b]\nx = 2\n") == [#"c:2: "a" is set twice; the first counts"#])
    #expect(problems("a = [1]\n[a.b]") == [#"c:2: "a" is set twice; the first counts"#])
    #expect(read("a = [1]\n[a.b]") == read("a = [1]"))
  }

  @Test("A text cut or with one byte changed at any place is read or reported, and never stops the program")
  func damage() {
    let text = """
      # what a person may set
      [capability.deploy]
      title = "De\\"ploy\\u00e9" # 'x'
      requirements = ["a", 'b',
        "c"]
      [[restrict]]
      parts = { a = [1, -2], "b".c = true }
      text = \"\"\"
      [é] \\
        b\"\"\"
      """
    let bytes = Array(text.utf8)
    var rounds = 0
    for place in bytes.indices {
      _ = read(String(decoding: bytes[..<place], as: UTF8.self))
      for byte in Array("[]{}\"'#=.,\\\n\r\t\0é9u".utf8) where byte != bytes[place] {
        var changed = bytes
        changed[place] = byte
        _ = read(String(decoding: changed, as: UTF8.self))
        rounds += 1
      }
    }
    #expect(rounds > 3_000)
  }
}
