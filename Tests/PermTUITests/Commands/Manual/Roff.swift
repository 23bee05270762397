/// Writes a page in the `man` macros of troff.
struct Roff {
  private(set) var text = ""

  init(title: String, section: Int, source: String, manual: String) {
    text = ".\\\" Written by the tests from the commands and the key table; see docs/cli.md.\n"
    line(".TH \(title) \(section) \"\" \"\(source)\" \"\(manual)\"")
    line(".nh\n.ad l")
  }

  mutating func section(_ heading: String) { line(".SH \(Self.escaped(heading.uppercased()))") }

  mutating func subsection(_ heading: String) { line(".SS \(heading)") }

  /// Adds paragraphs; indented ones keep their line breaks.
  mutating func paragraphs(_ text: String) {
    for paragraph in text.split(separator: "\n\n") {
      let lines = paragraph.split(separator: "\n").map(String.init)
      let prose = lines.prefix { !$0.hasPrefix("  ") }
      let typed = lines.dropFirst(prose.count)
      if !prose.isEmpty { line(".PP\n" + prose.map(Self.escapedLine).joined(separator: "\n")) }
      if !typed.isEmpty {
        line(
          ".RS 4\n.EX\n" + typed.map { Self.escapedLine(String($0.dropFirst(2))) }.joined(separator: "\n")
            + "\n.EE\n.RE")
      }
    }
  }

  /// Adds one form of the command line, which already has its markup.
  mutating func usage(_ form: String) { line(".PP\n\(form)") }

  /// Adds a term in bold, and its meaning.
  mutating func item(_ term: String, _ meaning: String) {
    line(".TP\n\(term)\n\(Self.escapedLine(meaning))")
  }

  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
  static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  static func escaped(_ text: String) -> String {
    text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
  }

  /// Escapes a line: a dot or an apostrophe at the start would be a request to troff.
  private static func escapedLine(_ text: String) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  private mutating func line(_ line: String) { text += line + "\n" }
}
