/// Writes a page in the `man` macros of troff.
struct Roff {
  private(set) var text = ""
  /// Whether the next paragraph is the first below a heading, which begins it already.
  private var isBelowHeading = false

  init(title: String, section: Int, date: String, source: String, manual: String) {
    text = ".\\\" Written by the tests from the commands and the key table; see docs/cli.md.\n"
    line(".TH \(title) \(section) \(date) \"\(source)\" \"\(manual)\"")
    line(".nh\n.ad l")
  }

  mutating func section(_ heading: String) {
    line(".SH \(Self.escaped(heading.uppercased()))")
    isBelowHeading = true
  }

  mutating func subsection(_ heading: String) {
    line(".SS \(heading)")
    isBelowHeading = true
  }

  private mutating func beginParagraph() {
    if !isBelowHeading { line(".PP") }
    isBelowHeading = false
  }

  /// Adds paragraphs; indented ones keep their line breaks.
  mutating func paragraphs(_ text: String) {
    for paragraph in text.split(separator: "\n\n") {
      let lines = paragraph.split(separator: "\n").map(String.init)
      let prose = lines.prefix { !$0.hasPrefix("  ") }
      let typed = lines.dropFirst(prose.count)
      if !prose.isEmpty {
        beginParagraph()
        fill(prose.map(Self.escaped).joined(separator: " "))
      }
      if !typed.isEmpty {
        isBelowHeading = false
        line(
          ".RS 4\n.EX\n" + typed.map { Self.escapedLine(String($0.dropFirst(2))) }.joined(separator: "\n")
            + "\n.EE\n.RE")
      }
    }
  }

  /// Adds one form of the command line, which already has its markup.
  mutating func usage(_ form: String) {
    beginParagraph()
    fill(form)
  }

  /// Adds a term in bold, and its meaning.
  mutating func item(_ term: String, _ meaning: String) {
    isBelowHeading = false
    line(".TP\n\(term)")
    fill(Self.escaped(meaning))
  }

  /// The sign for something that can be repeated.
  static let dots = escaped("…")

  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
  static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  static func escaped(_ text: String) -> String {
    text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : sign($0) }.joined()
  }

  /// Returns the form of a character that every formatter reads, whatever the encoding that it expects.
  private static func sign(_ character: Character) -> String {
    guard !character.isASCII else { return String(character) }
    return character.unicodeScalars.map { scalar in
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
    }.joined()
  }

  private static func escapedLine(_ text: String) -> String { guarded(escaped(text)) }

  /// Guards a line against being read as a request, which begins with a dot or an apostrophe.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// Adds text that the formatter fills, in lines that can be read in the source as well. A sentence ends with its line.
  private mutating func fill(_ text: String) {
    var current = ""
    for word in text.split(separator: " ") {
      let isFull = current.utf8.count + word.utf8.count > 78
      if !current.isEmpty, isFull || Self.endsSentence(current) {
        line(Self.guarded(current))
        current = ""
      }
      current += (current.isEmpty ? "" : " ") + word
    }
    line(Self.guarded(current))
  }

  private static func endsSentence(_ text: String) -> Bool {
    [".", "?", "!"].contains { text.hasSuffix($0) }
  }

  private mutating func line(_ line: String) { text += line + "\n" }
}
