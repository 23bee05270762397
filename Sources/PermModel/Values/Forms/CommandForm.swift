/// A set of similar command lines in which every word is known, such as `git status` with harmless options.
///
/// The forms are rows of a table. A line belongs to a form only if all of its words are certain, and if each of them is
/// the form's program, its subcommand, a listed option, or an operand of the form's kind.
package struct CommandForm: Hashable, Sendable {
  /// The program and the subcommand, for example `git status`. A form that sends can have an address behind them.
  package private(set) var name: String
  /// The address to which the lines send; `nil` if they send nothing, or if it is left open.
  package private(set) var address: String?
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
    if let form = Self.byName[name] {
      self = form
      return
    }
    guard let form = Self.all.first(where: { $0.effect == .sends && name.hasPrefix("\($0.name) ") }) else {
      return nil
    }
    let address = String(name.dropFirst(form.name.count + 1))
    guard Self.isElsewhere(address) else { return nil }
    self = form.sending(to: address)
  }

  /// Returns the form for lines that send to an address.
  func sending(to address: String) -> CommandForm {
    var form = self
    (form.name, form.address) = ("\(name) \(address)", address)
    return form
  }

  /// Returns the name of a form without its address. A line does not tell where it sends to.
  static func kind(of name: String) -> String {
    guard let address = CommandForm(named: name)?.address else { return name }
    return String(name.dropLast(address.count + 1))
  }

  /// Whether an address is that of a folder on another machine.
  static func isElsewhere(_ address: String) -> Bool {
    address.wholeMatch(of: /(https|ssh):\/\/[A-Za-z0-9][A-Za-z0-9@.:_\-]*\/[A-Za-z0-9._~\/\-]+/) != nil
      || address.wholeMatch(
        of: /[A-Za-z0-9._\-]+@[A-Za-z0-9][A-Za-z0-9.\-]*:[A-Za-z0-9._~\/][A-Za-z0-9._~\/\-]*/) != nil
  }

  /// Whether a line of the form could send anywhere. Then it can only be denied.
  package var isOpen: Bool { effect == .sends && address == nil }

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
        let given = form.options.read(words[length...]), form.operands.accept(given),
        form.operands != .input || InputReader.accepts(words),
        Self.notInASCII(words[...]) == Self.notInASCII(form.operands.texts(given))
      else { continue }
      (self.form, self.given) = (form, given)
      return
    }
    return nil
  }

  /// The words of a line that consists of a single command; `nil` if they are not certain, or not visible.
  private static func words(of line: String) -> [String]? {
    guard let commands = CertainLine(line)?.commands, commands.count == 1, let words = commands[0].literals,
      words.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }),
      !commands[0].words.contains(where: isReplacedBySome)
    else { return nil }
    return words
  }

  /// Whether some shells replace a word because of its first sign.
  private static func isReplacedBySome(_ word: CertainLine.Word) -> Bool {
    !word.isQuoted && word.value != "=" && word.value.utf8.first.map(Array("=^".utf8).contains) == true
  }

  /// The number of words that are not in ASCII. Names and options have to be.
  private static func notInASCII(_ words: ArraySlice<String>) -> Int {
    words.count { !$0.utf8.allSatisfy { $0 < 0x80 } }
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
  package var readsOnlyFiles: Bool {
    switch form.operands {
    case .files, .filter: true
    default: false
    }
  }

  /// Whether the line prints what is in files of a repository.
  package var printsFiles: Bool {
    guard case .looksAtRepository(let printsFiles) = form.effect else { return false }
    return printsFiles || given.options.contains("p") || given.options.contains("U")
  }

  /// The name of the remote to which the line sends commits; `nil` if it sends none.
  package var remote: String? { form.effect == .sends ? given.operands.first : nil }
}
