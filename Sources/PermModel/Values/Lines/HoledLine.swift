/// A command line in which some words, or parts of them, may vary, such as `pytest {file} -k {word}`. A person writes it.
///
/// Whether a line fits depends on its text alone here. Whether its words lead out of the folder, through links for example,
/// depends on the machine: `filling(in:)` returns the words that must be looked up.
public struct HoledLine: Hashable, Sendable {
  /// The line as it is written, with its holes.
  public let text: String
  private let words: [HoledWord]

  /// A word of a line that fills a hole.
  package struct Filling: Hashable, Sendable {
    /// The whole word.
    package var word: String
    /// The part that must be an existing file or folder; `nil` if there is none.
    package var file: String?
  }

  /// The words before the first hole, which a denial is about; `nil` if they are not plain.
  package let start: CommandStart?

  /// - Throws: ``ScopeError`` if a hole is of no known kind, or if it stands where it could stand for too much.
  public init(_ text: String) throws(ScopeError) {
    var parts = try Self.parts(of: text)
    guard parts.contains(where: { if case .hole = $0 { true } else { false } }) else { throw .hole(.none) }
    self.text = text
    words = try Self.words(&parts)
    start = CommandStart(leading: words)
    try checkPlaces()
  }

  /// Creates a value from a text that was kept. No line fits if the text is not one that could be kept now.
  init(kept text: String) {
    if let line = try? HoledLine(text) {
      self = line
    } else {
      (self.text, words, start) = (text, [], nil)
    }
  }

  public static func == (one: HoledLine, other: HoledLine) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// Whether a word fits the last word of the line.
  func accepts(_ word: CertainLine.Word) -> Bool { words.last?.filling(by: word) != nil }

  /// Whether the program runs what the files in the folder say.
  package var runsFolder: Bool {
    // A word with a hole stands for any operand.
    ProgramTable.runsFolder(words.map { $0.literal ?? "word" })
  }

  /// Whether all of these lines begin with some words.
  func begins(with other: CommandStart) -> Bool { start?.begins(with: other) == true }

  /// Returns the words that fill holes, if a line is one of these lines; otherwise `nil`.
  package func filling(in line: String) -> [Filling]? {
    guard let commands = CertainLine(line)?.commands, commands.count == 1,
      commands[0].words.count == words.count
    else { return nil }
    var found: [Filling] = []
    for (pattern, word) in zip(words, commands[0].words) {
      guard let filling = pattern.filling(by: word) else { return nil }
      found += filling
    }
    return found
  }
}

extension HoledLine {
  /// The parts of a word that could be paths: the word, what stands before `::`, and what stands behind an option's name.
  package static func paths(in word: String) -> Set<String> {
    var parts = [word[...]]
    if word.hasPrefix("-"), let sign = word.firstRange(of: "=") { parts.append(word[sign.upperBound...]) }
    parts += parts.compactMap { part in part.firstRange(of: "::").map { part[..<$0.lowerBound] } }
    return Set(parts.map(String.init))
  }
}

// MARK: - Reading

extension HoledLine {
  private static let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))

  /// A text that stands for a hole while the line is read. No line that has it has holes.
  private static func mark(_ number: Int) -> String { "0hole\(number)0" }

  /// Whether a text has a hole, of a known kind or not.
  package static func isMeant(by text: String) -> Bool {
    (try? parts(of: text)).map {
      $0.count > 1 || $0.first.map { if case .hole = $0 { true } else { false } } == true
    } ?? true
  }

  /// Returns a text as its holes and what stands between them.
  fileprivate static func parts(of text: String) throws(ScopeError) -> [HoledWord.Part] {
    let bytes = Array(text.utf8)
    var (parts, literal, quote, place): ([HoledWord.Part], [UInt8], UInt8?, Int) = ([], [], nil, 0)
    while place < bytes.count {
      let byte = bytes[place]
      if quote == nil, byte == open, let end = bytes[place...].firstIndex(of: close),
        let hole = try hole(bytes[(place + 1)..<end], after: place > 0 ? bytes[place - 1] : nil)
      {
        if !literal.isEmpty { parts.append(.literal(literal)) }
        parts.append(.hole(hole))
        (literal, place) = ([], end + 1)
        continue
      }
      if byte == quote { quote = nil } else if quote == nil, Array("'\"".utf8).contains(byte) { quote = byte }
      literal.append(byte)
      place += 1
    }
    return literal.isEmpty ? parts : parts + [.literal(literal)]
  }

  /// Returns the hole with this text between its braces; `nil` if the braces are a part of the line.
  private static func hole(
    _ bytes: ArraySlice<UInt8>, after last: UInt8?
  ) throws(ScopeError) -> HoledWord.Hole? {
    let text = String(decoding: bytes, as: UTF8.self)
    if let kind = HoledWord.Hole(named: text) { return kind }
    let isName = !bytes.isEmpty && bytes.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    // `${name}` is a variable, and `HEAD@{upstream}` a revision.
    if isName, last != UInt8(ascii: "$"), last != UInt8(ascii: "@") { throw .hole(.unknown(text)) }
    guard text.contains("|"), bytes.allSatisfy({ $0.isNameByte || Array("./-|".utf8).contains($0) }) else {
      return nil
    }
    let words = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard words.allSatisfy({ !$0.isEmpty && !$0.hasSuffix("/") && !$0.hasPrefix("-") }) else {
      throw .hole(.list(text))
    }
    return .oneOf(words)
  }

  /// Returns the words of a line of these parts.
  private static func words(_ parts: inout [HoledWord.Part]) throws(ScopeError) -> [HoledWord] {
    var (line, holes): (String, [HoledWord.Hole]) = ("", [])
    for part in parts {
      switch part {
      case .literal(let bytes): line += String(decoding: bytes, as: UTF8.self)
      case .hole(let hole):
        line += mark(holes.count)
        holes.append(hole)
      }
    }
    guard let commands = CertainLine(line)?.commands, commands.count == 1, commands[0].text == line,
      let words = commands[0].literals, line.components(of: "0hole") == holes.count
    else { throw .hole(.uncertain) }
    // Behind `env`, for example, a hole would stand for a program.
    let programs = PossibleLine(line).commands.map { $0.words.first?.text ?? "" }
    guard !programs.contains(where: { $0.contains("0hole") }) else { throw .hole(.program) }
    return words.map { HoledWord($0, holes, mark) }
  }

  // MARK: Places

  /// Throws an error if a hole stands for a program or a subcommand, or where a word could mean an address, a file, or an
  /// option.
  private func checkPlaces() throws(ScopeError) {
    for word in words { try word.check() }
    guard let program = words[0].literal, !program.contains("=") else { throw .hole(.program) }
    let name = ProgramTable.name(program)
    if ProgramTable.isInterpreter(name), words.contains(where: \.isText) { throw .hole(.program) }
    let rest = words.dropFirst()
    let first = rest.first { $0.literal?.hasPrefix("-") != true }
    if ProgramTable.hasSubcommands(name), first?.literal == nil, first != nil { throw .hole(.subcommand) }
    guard ProgramTable.takesAddresses(name, first?.literal) else { return }
    for word in rest where word.literal == nil && !word.hasHost { throw .hole(.address) }
  }
}

extension CommandStart {
  /// Creates a value from the words before the first hole.
  fileprivate init?(leading words: [HoledWord]) {
    var texts = words.prefix { $0.literal != nil }.compactMap(\.literal)
    if let program = texts.first { texts[0] = ProgramTable.name(program) }
    for count in stride(from: texts.count, to: 0, by: -1) {
      guard let start = CommandStart(texts[..<count].joined(separator: " ")), start.words.count == count
      else {
        continue
      }
      self = start
      return
    }
    return nil
  }
}

extension String {
  /// The number of places at which another text stands in this one.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
