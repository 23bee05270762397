/// A line that means the same in every folder: each of its programs is a name, and no word is a relative path.
///
/// A word can be one unless it is an option of a single letter, a long option, or an absolute path. A command without an
/// absolute path, such as `ls` or `make`, is about the folder in which it runs.
struct PlacelessLine: Hashable, Sendable {
  /// The names of the programs.
  let programs: [String]
  /// The commands that belong to a form which reads absolute paths only.
  let formLines: [String]

  /// Creates a value from a line; `nil` if the line is not certain, or if its meaning depends on a folder.
  init?(_ line: String) {
    var (programs, formLines): ([String], [String]) = ([], [])
    for part in ShellLine(line).parts {
      guard let commands = CertainLine(part)?.commands, commands.count == 1, let words = commands[0].literals,
        let program = words.first, Self.isName(program)
      else { return nil }
      if Self.isForm(part) {
        formLines.append(part)
      } else if !Self.isPlaceless(words.dropFirst()) {
        return nil
      }
      programs.append(program)
    }
    (self.programs, self.formLines) = (programs, formLines)
  }

  /// Whether a command belongs to a form that reads the paths in it, all of which are absolute.
  private static func isForm(_ command: String) -> Bool {
    guard let line = FormLine(command), line.form.effect == .reads else { return false }
    return !line.paths.isEmpty && line.paths.allSatisfy { isPlaceless($0) }
  }

  private static func isPlaceless(_ words: ArraySlice<String>) -> Bool {
    words.contains { $0.hasPrefix("/") } && words.allSatisfy(isPlaceless)
  }

  private static func isPlaceless(_ word: String) -> Bool {
    guard word.hasPrefix("-") else { return word.hasPrefix("/") && !word.contains("..") }
    guard word.hasPrefix("--") else { return word.utf8.count == 2 }
    // The value of an option can be a path.
    return word.firstIndex(of: "=").map { isPlaceless(String(word[word.index(after: $0)...])) } ?? true
  }

  private static func isName(_ program: String) -> Bool {
    program.utf8.allSatisfy { $0.isNameByte || Array("-.+".utf8).contains($0) } && !program.hasPrefix("-")
  }
}
