/// The lines of a TOML file that set a key to a text in quotation marks. Everything else is passed over, because the file
/// belongs to another program, which says what is wrong with it.
struct LooseTOML {
  struct Line: Hashable {
    /// The name of the table, without the brackets around it.
    var section: String
    var key: String
    var text: String
  }

  private(set) var lines: [Line] = []

  init(_ bytes: [UInt8]) {
    var section = ""
    for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      let line = String(decoding: line, as: UTF8.self).withoutBlanksAround
      if line.hasPrefix("["), let end = line.lastIndex(of: "]") {
        section = String(line[..<end].drop { $0 == "[" }).withoutBlanksAround
        while section.hasSuffix("]") { section.removeLast() }
      } else if let (key, text) = Self.setting(line) {
        lines.append(Line(section: section, key: key, text: text))
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
