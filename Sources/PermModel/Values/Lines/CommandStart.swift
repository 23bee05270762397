/// The program, or the program and the leading words, of commands that are denied: `rm …`, `git push …`.
public struct CommandStart: Hashable, Sendable {
  /// The words, of which the first is the name of a program.
  package let words: [String]

  /// How certain it is that something is in a line.
  package enum Presence: Int, Comparable, Sendable {
    case absent, possible, certain

    package static func < (one: Presence, other: Presence) -> Bool { one.rawValue < other.rawValue }
  }

  /// Creates a value from words with single spaces between them; `nil` if they are not plain, or if the first one is not
  /// the name of a program without its folder.
  public init?(_ text: String) {
    guard let command = CertainLine(text)?.commands.first, command.text == text, command.joint == nil,
      let words = command.literals, words.joined(separator: " ") == text, let program = words.first,
      !program.utf8.contains(UInt8(ascii: "/")), !program.hasPrefix("-")
    else { return nil }
    self.words = words
  }

  private init(_ words: ArraySlice<String>) { self.words = Array(words) }

  public var text: String { words.joined(separator: " ") }

  /// This value, followed by those with fewer words, down to the program alone.
  package var shorter: [CommandStart] { words.indices.reversed().map { CommandStart(words[...$0]) } }

  /// Whether a line consists of a single command, which certainly begins with these words.
  package func covers(_ line: String) -> Bool {
    let possible = PossibleLine(line)
    return possible.only.map(presence) == .certain
  }

  /// Whether these words begin with those of another one, so that each command of this one is one of the other.
  package func begins(with other: CommandStart) -> Bool { words.starts(with: other.words) }

  /// Returns how certainly a command begins with these words. Options between them are skipped.
  package func presence(in command: PossibleLine.Command) -> Presence {
    guard command.program == words[0] else { return .absent }
    var search = Search(rest: words.dropFirst(), program: words[0], isCertain: command.isCertain)
    for word in command.words.dropFirst() where !search.isOver { search.take(word) }
    if search.rest.isEmpty { return search.isCertain ? .certain : .possible }
    let isLeft = command.addsWords || search.isUnsure || mayStandForOptions(search.rest, command)
    return isLeft && !search.hasFailed ? .possible : .absent
  }

  /// Whether options that are still missing could be there in another spelling, as `-fr` is for `-rf`.
  private func mayStandForOptions(_ missing: ArraySlice<String>, _ command: PossibleLine.Command) -> Bool {
    guard missing.allSatisfy({ $0.hasPrefix("-") }) else { return false }
    let given = command.words.dropFirst().filter(\.isOption).flatMap { Self.letters($0.text) }
    return Set(missing.flatMap(Self.letters)).isSubset(of: given)
  }

  /// The letters of a group of options such as `-rf`, or the first letter of a long one.
  private static func letters(_ option: String) -> [Character] {
    option.hasPrefix("--") ? Array(option.dropFirst(2).prefix(1)) : Array(option.dropFirst())
  }
}

/// The search for leading words in a command.
private struct Search {
  /// The words that have not been found.
  var rest: ArraySlice<String>
  let program: String
  var isCertain: Bool
  /// Whether a word could stand for one that is looked for.
  var isUnsure = false
  /// Whether another word stands where the next one should.
  var hasFailed = false
  private var isBehindOption = false
  private var skipsValue = false

  init(rest: ArraySlice<String>, program: String, isCertain: Bool) {
    (self.rest, self.program, self.isCertain) = (rest, program, isCertain)
  }

  var isOver: Bool { rest.isEmpty || hasFailed }

  mutating func take(_ word: PossibleScanner.Word) {
    guard let wanted = rest.first else { return }
    if skipsValue {
      (skipsValue, isBehindOption) = (false, false)
      // A word that stands for several can also be more than the value.
      if !word.isOne { isUnsure = true }
    } else if !word.isLiteral {
      isUnsure = true
      if !word.isOne { isCertain = false }
      isBehindOption = false
    } else if word.text == wanted {
      rest.removeFirst()
      isCertain = isCertain && !isBehindOption && !isUnsure
      isBehindOption = false
    } else if word.isOption {
      skipsValue = ProgramTable.takesValue(program, word.text)
      isBehindOption = !word.text.contains("=") && !word.text.hasPrefix("--no-") && word.text != "--"
    } else if isBehindOption || wanted.hasPrefix("-") {
      isBehindOption = false
    } else {
      hasFailed = !isUnsure
    }
  }
}

// MARK: - Denials in a line

extension Scope {
  /// Returns how certainly each of some commands is one that a denial with this scope is about.
  fileprivate func presences(in commands: [PossibleLine.Command]) -> [CommandStart.Presence] {
    switch denied {
    case .start(let start): return commands.map(start.presence)
    case .command(let line):
      let texts = commands.map(\.text)
      guard texts.contains(where: { $0 != nil }) else { return commands.map { _ in .absent } }
      let meant: Set = [line, PossibleLine(line).only?.text]
      return zip(commands, texts).map { command, text in
        text == nil || !meant.contains(text) ? .absent : command.isCertain ? .certain : .possible
      }
    default: return commands.map { _ in .absent }
    }
  }
}

extension PossibleLine {
  /// The command of which the line consists; `nil` if there are others.
  fileprivate var only: Command? { isSingle ? commands.first : nil }

  /// Whether the line might contain a command that a denial with this scope is about, without doing so for certain.
  package func mayContain(_ scope: Scope) -> Bool {
    if scope.presences(in: commands).contains(.possible) { return true }
    guard case .start(let start) = scope.denied else { return false }
    return isOpen || isTooLong || interpreted.isSuperset(of: start.words.filter { !$0.hasPrefix("-") })
  }

  /// The commands that a denial with this scope is about for certain.
  package func commands(in scope: Scope) -> [Command] {
    zip(commands, scope.presences(in: commands)).filter { $0.1 == .certain }.map(\.0)
  }
}
