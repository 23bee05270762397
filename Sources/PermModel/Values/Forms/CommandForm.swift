/// A set of similar command lines in which every word is known, such as `git status` with harmless options.
///
/// The forms are rows of a table. A line belongs to a form only if all of its words are certain, and if each of them is
/// the form's program, its subcommand, a listed option, or an operand of the form's kind.
package struct CommandForm: Hashable, Sendable {
  /// The program and the subcommand, for example `git status`.
  package let name: String
  package let effect: Effect
  let options: OptionList
  let operands: Operands

  package enum Effect: Hashable, Sendable {
    /// Reads files and prints them.
    case reads
    /// Prints what is in a repository. Hooks with these names would run.
    case looksAtRepository(printsFiles: Bool)
    /// Sends commits to another machine.
    case sends
    /// Runs whatever one of these files in the folder says.
    case runsFolder([String])
  }

  init(_ name: String, _ effect: Effect, _ operands: Operands, _ options: OptionList = OptionList()) {
    (self.name, self.effect, self.operands, self.options) = (name, effect, operands, options)
  }

  /// Returns the form with this name; `nil` if there is none.
  package init?(named name: String) {
    guard let form = Self.byName[name] else { return nil }
    self = form
  }

  /// Returns the form to which a line belongs; `nil` if there is none.
  package init?(of line: String) {
    guard let found = FormLine(line)?.form else { return nil }
    self = found
  }

  /// The program, as it stands in the line. It must be a program that only root can replace.
  package var program: Substring { name.prefix { $0 != " " } }

  package var runsFolder: Bool { if case .runsFolder = effect { true } else { false } }
  /// Whether lines of the form change nothing, and send nothing.
  package var onlyLooks: Bool { !runsFolder && effect != .sends }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

/// A line that belongs to a form, taken apart.
package struct FormLine: Hashable, Sendable {
  package let form: CommandForm
  /// The folder that `git -C` names; `nil` if there is none.
  package let folder: String?
  private let given: OptionList.Given

  /// Reads a line; `nil` if it belongs to no form.
  package init?(_ line: String) {
    guard var words = Self.words(of: line) else { return nil }
    folder = Self.takeFolder(&words)
    for length in [3, 2, 1] where words.count >= length {
      // A word in quotation marks can contain a blank.
      guard words[..<length].allSatisfy({ !$0.contains(" ") }),
        let form = CommandForm(named: words[..<length].joined(separator: " ")),
        let given = form.options.read(words[length...]), form.operands.accept(given)
      else { continue }
      (self.form, self.given) = (form, given)
      return
    }
    return nil
  }

  /// The words of a line that consists of a single command; `nil` if they are not certain, or not in visible ASCII.
  private static func words(of line: String) -> [String]? {
    guard let commands = CertainLine(line)?.commands, commands.count == 1, let words = commands[0].literals,
      words.allSatisfy({ $0.utf8.allSatisfy { (0x20...0x7e).contains($0) } })
    else { return nil }
    return words
  }

  /// Removes the folder in which git is to look, and returns it.
  private static func takeFolder(_ words: inout [String]) -> String? {
    guard words.count > 2, words[0] == "git", words[1] == "-C", Operands.isPlace(words[2]) else { return nil }
    defer { words.removeSubrange(1...2) }
    return words[2]
  }

  /// The paths that the line reads.
  package var paths: [String] { form.operands.paths(given) }

  /// Whether the paths must be files, because the program would follow links in a folder.
  package var readsOnlyFiles: Bool { if case .files = form.operands { true } else { false } }

  /// Whether the line prints what is in files of a repository.
  package var printsFiles: Bool {
    guard case .looksAtRepository(let printsFiles) = form.effect else { return false }
    return printsFiles || given.options.contains("p") || given.options.contains("U")
  }

  /// The name of the remote to which the line sends commits; `nil` if it sends none.
  package var remote: String? { form.effect == .sends ? given.operands.first : nil }
}
