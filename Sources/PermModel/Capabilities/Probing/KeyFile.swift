/// A file of `[section]` headers and `key = value` lines, as rclone and GNOME write them.
struct KeyFile {
  struct Section {
    var name: String
    var values: [String: String]
  }

  private(set) var sections: [Section] = []

  /// Reads a file's text. Comments, lines that are neither a header nor a value, and values before the first header are
  /// skipped.
  init(_ text: String) {
    for rawLine in text.split(whereSeparator: \.isNewline) {
      let line = rawLine.trimmed
      guard let first = line.first, first != "#", first != ";" else { continue }
      if first == "[", line.last == "]" {
        sections.append(Section(name: String(line.dropFirst().dropLast().trimmed), values: [:]))
      } else if let sign = line.firstIndex(of: "="), !sections.isEmpty {
        let key = String(line[..<sign].trimmed)
        sections[sections.count - 1].values[key] = String(line[line.index(after: sign)...].trimmed)
      }
    }
  }
}

extension StringProtocol {
  /// The text without white space at both ends.
  var trimmed: SubSequence {
    guard let start = firstIndex(where: { !$0.isWhitespace }),
      let end = lastIndex(where: { !$0.isWhitespace })
    else { return self[endIndex...] }
    return self[start...end]
  }
}
