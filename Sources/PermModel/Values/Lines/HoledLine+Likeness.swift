// The line with a hole that a person is offered, because a program asked for similar lines before.

extension HoledLine {
  /// Creates the line that covers two lines which differ in a single word; `nil` if there is none, or if the word could
  /// not vary safely.
  ///
  /// - Parameters:
  ///   - files: The words of the first line that are files in the agent's folder.
  package init?(covering line: String, _ other: String, files: Set<String>) {
    guard let words = Self.command(line)?.words, let others = Self.command(other)?.words,
      words.count == others.count
    else { return nil }
    let differing = words.indices.filter { !words[$0].value.utf8.elementsEqual(others[$0].value.utf8) }
    guard differing.count == 1, let place = differing.first, place > 0 else { return nil }
    for hole in Self.holes(for: words[place], others[place], files) {
      let texts = words.indices.map { $0 == place ? hole : words[$0].value.asShellWord }
      guard let lines = try? HoledLine(texts.joined(separator: " ")), lines.filling(in: line) != nil else {
        continue
      }
      self = lines
      return
    }
    return nil
  }

  private static func command(_ line: String) -> CertainLine.Command? {
    guard let commands = CertainLine(line)?.commands, commands.count == 1 else { return nil }
    // A text can stand in the hole, but nowhere else.
    return commands[0]
  }

  /// Returns the holes that both words could fill, the narrowest first.
  private static func holes(
    for word: CertainLine.Word, _ other: CertainLine.Word, _ files: Set<String>
  ) -> [String] {
    if word.isHere || other.isHere { return ["{text}"] }
    let start = Self.option(of: word.value)
    let isFile = !files.isDisjoint(with: paths(in: word.value))
    let kinds =
      isFile ? ["{file}", "{number}", "{word}", "{name}"] : ["{number}", "{word}", "{name}", "{text}"]
    let fitting = kinds.filter { kind in
      guard let pattern = try? HoledLine("x \(start)\(kind)") else { return false }
      return [word, other].allSatisfy { pattern.accepts($0) }
    }
    return fitting.map { start + $0 }
  }

  /// The name of an option before its value, as in `--filter=`; empty if the word is something else.
  private static func option(of word: String) -> String {
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return "" }
    return String(word[...sign])
  }
}

extension String {
  /// The word as a person would write it in a line.
  fileprivate var asShellWord: String {
    let isPlain = CertainLine("x \(self)")?.commands.first?.literals == ["x", self]
    return isPlain && !utf8.contains(where: Array("{}".utf8).contains) ? self : inShellQuotes
  }
}
