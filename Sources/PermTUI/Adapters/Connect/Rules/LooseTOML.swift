/// The lines of a TOML file that set a key to a text in quotation marks. Everything else is skipped, because the file
/// belongs to another program, which reports mistakes in it.
struct LooseTOML {
  struct Line: Hashable {
    /// The name of the table, without the brackets around it.
    var section: String
    var key: String
    var text: String
  }

  private(set) var lines: [Line] = []
  /// All lines that are neither empty nor comments, without the blanks around them.
  private(set) var written: [String] = []

  init(_ bytes: [UInt8]) {
    var section = ""
    for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      let line = String(decoding: line, as: UTF8.self).withoutBlanksAround
      if !line.isEmpty, !line.hasPrefix("#") { written.append(line) }
      if line.hasPrefix("["), let end = line.lastIndex(of: "]") {
        section = String(line[..<end].drop { $0 == "[" }).withoutBlanksAround
        while section.hasSuffix("]") { section.removeLast() }
      } else if let (key, text) = Self.setting(line) {
        lines.append(Line(section: section, key: key, text: text))
      }
    }
  }

  /// Whether a line sets a key to one of these texts and does nothing else, in the plainest way of writing that.
  static func sets(_ line: String, _ key: String, toOneOf texts: [String]) -> Bool {
    guard line.hasPrefix(key) else { return false }
    let sign = String(line.dropFirst(key.count)).withoutBlanksAround
    guard sign.hasPrefix("=") else { return false }
    let value = String(sign.dropFirst()).withoutBlanksAround
    return texts.contains { text in
      ["\"\(text)\"", "'\(text)'"].contains { quoted in
        guard value.hasPrefix(quoted) else { return false }
        let rest = String(value.dropFirst(quoted.count)).withoutBlanksAround
        return rest.isEmpty || rest.hasPrefix("#")
      }
    }
  }

  private static func setting(_ line: String) -> (String, String)? {
    guard let sign = line.firstIndex(of: "=") else { return nil }
    let value = String(line[line.index(after: sign)...]).withoutBlanksAround
    guard let mark = value.first, mark == "\"" || mark == "'",
      let end = value.dropFirst().firstIndex(of: mark)
    else { return nil }
    let key = String(line[..<sign]).withoutBlanksAround.filter { !"\"'".contains($0) }
    return (key, String(value[value.index(after: value.startIndex)..<end]))
  }
}

extension String {
  fileprivate var withoutBlanksAround: String {
    let start = drop { $0 == " " || $0 == "\t" }
    let rest = start.reversed().drop { $0 == " " || $0 == "\t" }
    return String(rest.reversed())
  }
}
