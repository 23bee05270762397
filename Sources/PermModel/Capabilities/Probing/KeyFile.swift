/// A file with `[section]` headers and `key = value` lines, in the format that rclone and GNOME use.
struct KeyFile {
  struct Section {
    var name: String
    var values: [String: String]
  }

  private(set) var sections: [Section] = []

  /// Parses the contents of a file. Skips comments, lines that are neither a header nor a value, and values
  /// before the first header.
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
  /// The string without leading and trailing white space.
  var trimmed: SubSequence {
    guard let start = firstIndex(where: { !$0.isWhitespace }),
      let end = lastIndex(where: { !$0.isWhitespace })
    else { return self[endIndex...] }
    return self[start...end]
  }
}
