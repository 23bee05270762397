/// All commands that a line might run, in a reading that rather finds too many than too few.
///
/// This is the generous reading of a line, which decides about denials, warnings, and what is always asked about.
package struct PossibleLine: Sendable {
  package struct Command: Hashable, Sendable {
    /// The words from the program on.
    var words: ArraySlice<PossibleScanner.Word>
    /// Whether the command is run for certain, if what stands before it lets the shell come so far.
    package var isCertain: Bool
    /// Whether the program that starts it adds words to it.
    var addsWords = false

    /// The name of the program without its folder; `nil` if the program is not known.
    var program: String? { words.first.flatMap { $0.isLiteral ? ProgramTable.name($0.text) : nil } }

    /// The command in a spelling that all lines with the same words share; `nil` if not all of its words are known.
    package var text: String? {
      guard words.allSatisfy(\.isLiteral), !addsWords else { return nil }
      return words.map(\.text.shellQuoted).joined(separator: " ")
    }
  }

  package fileprivate(set) var commands: [Command] = []
  /// Whether a command begins with a word that stands for another one.
  package fileprivate(set) var isOpen = false
  /// Whether such a word is a pattern, or could hold the name of a program that reaches out.
  fileprivate(set) var hidesProgram = false
  /// Whether a word is the path of a socket at which requests are answered.
  fileprivate(set) var namesSocket = false
  /// The words in texts that are given to programs with a language of their own.
  fileprivate(set) var interpreted: Set<String> = []
  /// Whether the line leaves a command to run in the background.
  package fileprivate(set) var leavesCommands = false
  /// Whether the line consists of a single command.
  package fileprivate(set) var isSingle = false
  /// Whether there is more in the line than is looked at. Such a line could contain anything.
  package var isTooLong: Bool { isCut || commands.count > Self.most }
  /// Whether reading all of the line could take long.
  fileprivate var isCut = false

  /// The greatest number of commands that are looked for.
  static let most = 64
  /// How deep texts that are run may stand in each other.
  fileprivate static let deepest = 4
  /// The greatest number of bytes that are read: of the line, and of the texts in it that could be run.
  fileprivate static let mostBytes = 24 << 10

  package init(_ text: String) { self = Self.last.reading(of: text) { PossibleLine(reading: $0) } }

  private static let last = LastRead<PossibleLine>()

  private init(reading text: String) {
    var reader = Reader()
    reader.read(Array(text.utf8), isCertain: true)
    self = reader.line
    guard isOpen else { return }
    // A variable of this line could hold the name.
    hidesProgram =
      hidesProgram || isTooLong
      || Self.names(in: Array(text.utf8)).contains(where: ProgramTable.alwaysReaches)
  }

  fileprivate init(empty: Void) {}

  /// The same line, to whose commands more words can be added.
  package var unfinished: PossibleLine {
    var copy = self
    for index in copy.commands.indices { copy.commands[index].addsWords = true }
    return copy
  }

  /// Returns the words in a text that could be names of programs.
  static func names(in text: [UInt8]) -> Set<String> {
    let parts = text.split { !($0.isNameByte || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")) }
    return Set(parts.map { String(decoding: $0, as: UTF8.self) })
  }
}

private struct Reader {
  typealias Word = PossibleScanner.Word

  /// The texts that a command can read from the line: its input, and what earlier commands print into it.
  struct Given {
    var input: [[UInt8]] = []
    /// The commands whose output is piped into this one.
    var earlier: ArraySlice<PossibleScanner.Piece> = []
    var isCertain: Bool
    var addsWords = false
  }

  var line = PossibleLine(empty: ())
  private var depth = 0
  /// The number of bytes that may still be read.
  private var left = PossibleLine.mostBytes

  /// Whether so many more bytes may be read. If not, the line is too long.
  private mutating func spend(_ count: Int) -> Bool {
    left -= count
    if left < 0 { line.isCut = true }
    return !line.isTooLong
  }

  mutating func read(_ text: [UInt8], isCertain: Bool) {
    guard spend(text.count) else { return }
    guard depth < PossibleLine.deepest else { return note(text) }
    depth += 1
    defer { depth -= 1 }
    let scanner = PossibleScanner(text)
    if depth == 1 { line.isSingle = scanner.pieces.count == 1 && !scanner.isOdd }
    if scanner.leavesCommands { line.leavesCommands = true }
    if scanner.isCut { line.isCut = true }
    for (index, piece) in scanner.pieces.enumerated() where !line.isTooLong {
      var given = Given(input: piece.input, isCertain: isCertain && piece.isCertain && !scanner.isOdd)
      if piece.words.contains(where: ProgramTable.isOurSocket) { line.namesSocket = true }
      if piece.isPipedInto { given.earlier = scanner.pieces[..<index] }
      begin(piece.words[...], given)
    }
    if scanner.isOdd { readRoughly(text) }
  }

  /// Notes the words in a text that is given to a program with a language of its own, or that stands too deep to be read.
  private mutating func note(_ text: [UInt8]) { line.interpreted.formUnion(PossibleLine.names(in: text)) }

  /// Returns the texts that a command can read.
  private mutating func texts(_ given: Given) -> [[UInt8]] {
    let size = given.earlier.reduce(0) { $0 + $1.words.reduce(0) { $0 + $1.bytes.count } }
    return spend(size) ? given.input + Self.printed(given.earlier) : given.input
  }

  /// Returns what commands could print: their words together, and each by itself.
  private static func printed(_ pieces: ArraySlice<PossibleScanner.Piece>) -> [[UInt8]] {
    pieces.flatMap { piece in
      let words = piece.words.dropFirst().map { $0.text.replacing("\\n", with: "\n").utf8 }
      return [Array(words.joined(separator: " ".utf8))] + words.map(Array.init).filter(isText) + piece.input
    }
  }

  private static let (signs, roughSigns) = (ByteSet("&|;()`\n\r"), ByteSet("&|;()`\n\r{},"))
  private static let (quotes, beforeNames) = (ByteSet("'\"\\"), ByteSet("$! \t"))

  /// Reads a line about which shells could disagree, as if there were no quotation marks.
  private mutating func readRoughly(_ text: [UInt8]) {
    let signs = text.contains(UInt8(ascii: "{")) ? Self.roughSigns : Self.signs
    guard spend(text.count) else { return }
    for part in text.split(whereSeparator: { signs.contains($0) }) where !line.isTooLong {
      let kept = part.filter { !Self.quotes.contains($0) }.drop { Self.beforeNames.contains($0) }
      let words = kept.split(whereSeparator: \.isBlank).map {
        Word(bytes: Array($0), isLiteral: !$0.contains(UInt8(ascii: "$")))
      }
      begin(words[...], Given(isCertain: false))
    }
  }
}

// MARK: - One command

extension Reader {
  private static let longestKeyword = 16

  /// Finds the program of a command, behind keywords and assignments.
  fileprivate mutating func begin(_ words: ArraySlice<Word>, _ given: Given) {
    var words = words
    while let word = words.first {
      if let value = word.assigned {
        if value.isCommand { read(value.text, isCertain: false) }
      } else if word.isQuoted || word.bytes.count > Self.longestKeyword
        || !ProgramTable.keywords.contains(word.text)
      {
        break
      }
      words = words.dropFirst()
    }
    guard let first = words.first else { return }
    let keyword = first.isQuoted || first.bytes.count > Self.longestKeyword ? "" : first.text
    if ["for", "case", "select"].contains(keyword) { return }
    if keyword == "function" { return begin(words.dropFirst(2), given) }
    add(words, given)
  }

  private static let replaced = ByteSet("$`")

  private mutating func add(_ words: ArraySlice<Word>, _ given: Given) {
    guard let first = words.first, !line.isTooLong else { return }
    line.commands.append(
      PossibleLine.Command(words: words, isCertain: given.isCertain, addsWords: given.addsWords))
    guard first.isLiteral else {
      line.isOpen = true
      if !first.bytes.contains(where: { Self.replaced.contains($0) }) { line.hidesProgram = true }
      return
    }
    let (name, rest) = (ProgramTable.name(first.text), words.dropFirst())
    if ProgramTable.onlyLooks(name, rest.lazy.map(\.text)) { return }
    if ProgramTable.isInterpreter(name) {
      for text in rest.map(\.bytes) + texts(given) where spend(text.count) { note(text) }
    }
    if let starter = ProgramTable.starter(name) { start(starter, rest, given) }
    if ProgramTable.isShell(name) { for text in texts(given) { read(text, isCertain: false) } }
  }

  // MARK: Programs that start others

  private mutating func start(_ starter: ProgramTable.Starter, _ words: ArraySlice<Word>, _ given: Given) {
    if let first = words.first, starter.except.contains(first.text) { return }
    var given = given
    given.addsWords = given.addsWords || starter.addsWords
    guard !starter.after.isEmpty else { return follow(starter, words, given) }
    for index in words.indices
    where starter.after.contains(where: words[index].text.hasPrefix) && !line.isTooLong {
      follow(starter, words[index...].dropFirst(starter.after.contains(words[index].text) ? 1 : 0), given)
      if starter.isAnywhere { return }
    }
  }

  /// Adds each command that could begin with one of these words, and reads the texts among them.
  ///
  /// The word behind an option can be its value. Therefore the number of words before the command is known only as a
  /// range.
  private mutating func follow(_ starter: ProgramTable.Starter, _ words: ArraySlice<Word>, _ given: Given) {
    var (least, most) = (starter.operands, starter.operands)
    var (isBehindOption, isDefinite) = (false, true)
    for index in words.indices where !line.isTooLong {
      let word = words[index]
      readTexts(in: word, starter)
      if word.isOption || word.assigned != nil {
        isBehindOption = word.isOption && !word.bytes.contains(UInt8(ascii: "="))
        continue
      }
      isDefinite = isDefinite && !isBehindOption && !starter.isAnywhere && word.isLiteral
      if least == 0 {
        var found = given
        found.isCertain = given.isCertain && isDefinite && most == 0
        begin(words[index...], found)
      }
      if !isBehindOption, !starter.isAnywhere {
        if most == 0 { return }
        most -= 1
      }
      least = max(0, least - 1)
      isBehindOption = false
    }
  }

  /// Reads the texts in a word that a program could run: the whole word, what is glued to an option, and a definition.
  private mutating func readTexts(in word: Word, _ starter: ProgramTable.Starter) {
    if Self.isText(word.bytes) {
      read(word.bytes, isCertain: false)
      if word.isOption { read(Array(word.bytes.dropFirst(2)), isCertain: false) }
    }
    guard word.isOption || starter.definitionsOf != nil else { return }
    for index in word.bytes.indices where word.bytes[index] == UInt8(ascii: "=") && !line.isTooLong {
      let text = word.bytes[(index + 1)...].drop { $0 == UInt8(ascii: "!") }
      if !text.isEmpty { read(Array(text), isCertain: false) }
      if let program = starter.definitionsOf, !program.isEmpty {
        read(Array("\(program) ".utf8) + text, isCertain: false)
      }
    }
  }

  private static let textSigns = ByteSet(" \t\n;&|(`<>")

  /// Whether a word could be a text for a shell rather than a name.
  private static func isText(_ word: [UInt8]) -> Bool {
    word.contains { textSigns.contains($0) }
  }
}

extension PossibleScanner.Word {
  var isOption: Bool { bytes.count > 1 && (bytes[0] == UInt8(ascii: "-") || bytes[0] == UInt8(ascii: "+")) }

  /// The value that the word assigns, and whether it is the name of a command by the variable's name; `nil` if the word
  /// assigns none.
  fileprivate var assigned: (text: [UInt8], isCommand: Bool)? {
    guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")), let first = bytes.first, first.isNameByte else {
      return nil
    }
    let name = bytes[..<sign].prefix(while: \.isNameByte)
    let rest = bytes[name.endIndex..<sign]
    guard rest.isEmpty || rest.elementsEqual("+".utf8) || rest.first == UInt8(ascii: "[") else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    let isCommand = [
      "COMMAND", "PAGER", "EDITOR", "VISUAL", "SHELL", "ASKPASS", "PS4", "ENV", "SSH", "BROWSER",
    ]
    .contains { text.hasSuffix($0) }
    return (Array(bytes[(sign + 1)...]), isCommand)
  }
}
