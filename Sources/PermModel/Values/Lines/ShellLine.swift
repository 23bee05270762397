/// A line for a shell. It is never executed here, only read: strictly for what may be allowed, generously for what must be
/// denied or asked about.
package struct ShellLine: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// Creates the line that runs a program without arguments. A name that a shell would not read as a plain word is put in
  /// quotation marks.
  package init(word: String) {
    let isPlain =
      CertainLine(word)?.commands.first?.literals == [word] && !word.utf8.contains(UInt8(ascii: "="))
    self.init(isPlain ? word : word.inShellQuotes)
  }

  /// The greatest number of commands into which a line is taken apart.
  private static let mostParts = 32

  /// The commands of the line, in order, without the redirections that change nothing. The result is the line alone if it
  /// cannot be taken apart with certainty, or if one of its commands could change what another one does.
  package var parts: [String] {
    guard let commands = CertainLine(text)?.commands, commands.count == 1 || Self.areApart(commands[...])
    else {
      return [text]
    }
    return commands.map(\.text)
  }

  /// Whether none of some commands can change what another one does.
  private static func areApart(_ commands: ArraySlice<CertainLine.Command>) -> Bool {
    commands.count <= mostParts
      && commands.allSatisfy { command in
        !ProgramTable.changesOthers(command) && (command.joint != .pipe || command.onlyReads)
      }
  }

  /// The folder to which the line changes before anything else, and the commands that it runs there; `nil` if it runs
  /// where the program works, or if it could run one of them elsewhere.
  package var inFolder: (folder: String, parts: [String])? {
    guard let commands = CertainLine(text)?.commands, commands.count > 1,
      let words = commands[0].literals, words.count == 2, words[0] == "cd", words[1].isPlainFolder,
      commands[1].joint == .and, commands.dropFirst(2).allSatisfy({ $0.joint == .and || $0.joint == .pipe }),
      Self.areApart(commands.dropFirst())
    else { return nil }
    return (words[1], commands.dropFirst().map(\.text))
  }

  /// The generous reading.
  package var possible: PossibleLine { PossibleLine(text) }

  /// Whether a program runs the command that it is given.
  ///
  /// - Parameter name: The file name of the program.
  package static func isWrapper(_ name: String) -> Bool { ProgramTable.startsOthers(name) }
}

extension String {
  /// Whether the text names a folder in the same way for a shell and for the system, if no link is on the way.
  fileprivate var isPlainFolder: Bool {
    guard let first = utf8.first, first.isNameByte || first == UInt8(ascii: "/") || hasPrefix("./") else {
      return false
    }
    return !split(separator: "/").contains("..") && utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }
}

extension CertainLine.Command {
  /// Whether the command only reads what the command before it prints. Any other could run it.
  fileprivate var onlyReads: Bool { literals.map(InputReader.accepts) == true }
}

// MARK: - What is always asked about

extension ShellLine {
  /// Whether the line could start a program outside of the asking program's reach, or one that answers requests. Such a
  /// line is asked about each time, and can be allowed only exactly and once.
  ///
  /// That also holds for a line of so many commands that not all of them are looked at: one of them might be denied.
  package var isAlwaysAsked: Bool { possible.reach == .beyond }
}

extension PossibleLine {
  /// How far a line reaches.
  enum Reach: Comparable {
    /// It starts nothing outside of the asking program.
    case within
    /// It only shows what there is outside.
    case looksBeyond
    case beyond
  }

  var reach: Reach {
    let isBeyond = leavesCommands || isTooLong || hidesProgram || namesSocket
    if isBeyond || interpreted.contains(where: ProgramTable.isOurs) { return .beyond }
    return commands.map(reach).max() ?? .within
  }

  private func reach(_ command: Command) -> Reach {
    guard let program = command.program, let first = command.words.first else { return .within }
    let words = command.words.dropFirst().lazy.map(\.text)
    if ProgramTable.onlyLooks(program, words) { return .looksBeyond }
    if ProgramTable.reachesOut(program, words) { return .beyond }
    // A script could run the program that it is given.
    let isScript = first.bytes.contains(UInt8(ascii: "/"))
    return isScript && words.contains { ProgramTable.isOurs(ProgramTable.name($0)) } ? .beyond : .within
  }
}
