/// A line that every shell reads in the same way: words, quotation marks in which nothing is replaced, redirections that
/// change nothing, and commands joined by `&&`, `||`, `;` or `|`.
///
/// This is the strict reading of a line, which decides what is allowed. The line is read byte by byte, as a shell does: a
/// sign with an accent upon it is still that sign.
package struct CertainLine: Hashable, Sendable {
  /// The commands, in order. There is at least one.
  package var commands: [Command]

  package struct Command: Hashable, Sendable {
    package var words: [Word] = []
    /// The command as it stands in the line, without its redirections.
    package var text = ""
    /// The sign that joins the command to the one before it.
    package var joint: Joint?

    /// The words, if all of them are known; otherwise `nil`.
    package var literals: [String]? {
      words.allSatisfy(\.isKnown) ? words.map(\.value) : nil
    }
  }

  package struct Word: Hashable, Sendable {
    /// The word without its quotation marks.
    package var value: String
    /// Whether no shell replaces the word with another one. A pattern, for example, stands for files.
    package var isKnown = true
    /// Whether the whole word stands in one pair of quotation marks.
    package var isQuoted = false
    /// Whether the whole word is the text of a here-document, which a program prints. Then it is not ``isKnown``.
    package var isHere = false

    /// Whether the word is a text, as a message is.
    var isText: Bool { isKnown && isQuoted || isHere }
  }

  package enum Joint: String, Hashable, Sendable, CaseIterable {
    case and = "&&", or = "||", then = ";", pipe = "|"
  }

  /// Creates a value from a line; `nil` if shells could read it in different ways, or if it contains a substitution, a
  /// redirection to a file, a background command, a group, or a line break outside of quotation marks.
  package init?(_ text: String) {
    let commands = Self.last.reading(of: text) { text in
      var scanner = CertainScanner(Array(text.utf8))
      return scanner.commands()
    }
    guard let commands else { return nil }
    self.commands = commands
  }

  private static let last = LastRead<[Command]?>()
}

private struct CertainScanner {
  private let bytes: [UInt8]
  private var place = 0
  private var done: [CertainLine.Command] = []
  private var command = CertainLine.Command()
  /// The command so far, without its redirections.
  private var kept: [UInt8] = []
  /// The end of the last word or redirection.
  private var end = 0
  /// The number of words so far, in all commands.
  private var count = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func commands() -> [CertainLine.Command]? {
    while place < bytes.count {
      let byte = bytes[place]
      if byte.isBlank {
        place += 1
      } else if Self.joining.contains(byte) {
        guard join() else { return nil }
      } else if let length = quietRedirection {
        place += length
        end = place
      } else if !readWord() {
        return nil
      }
    }
    return finish() ? done : nil
  }

  private static let joining = ByteSet("&|;")
  /// The greatest numbers of words and of commands in a line that is taken apart. Reading a line must not take long.
  private static let (mostWords, mostCommands) = (512, 33)

  private mutating func join() -> Bool {
    let sign = bytes[place...].prefix { Self.joining.contains($0) }
    guard let joint = CertainLine.Joint(rawValue: String(decoding: sign, as: UTF8.self)), finish() else {
      return false
    }
    place += sign.count
    command.joint = joint
    return true
  }

  private mutating func finish() -> Bool {
    guard !command.words.isEmpty else { return false }
    command.text = String(decoding: kept, as: UTF8.self)
    done.append(command)
    (command, kept) = (CertainLine.Command(), [])
    return done.count <= Self.mostCommands
  }

  // MARK: Redirections

  private static let quiet = ["2>&1", ">", "2>", "<"].flatMap { sign in
    sign == "2>&1" ? [Array(sign.utf8)] : ["", " "].map { Array("\(sign)\($0)/dev/null".utf8) }
  }

  /// The length of a redirection that changes nothing about what a command does; `nil` if there is none at this place.
  private var quietRedirection: Int? {
    guard !command.words.isEmpty, bytes[place - 1].isBlank else { return nil }
    let rest = bytes[place...]
    guard let sign = Self.quiet.first(where: rest.starts(with:)) else { return nil }
    let next = rest.dropFirst(sign.count).first
    return next.map { $0.isBlank || Self.joining.contains($0) } ?? true ? sign.count : nil
  }

  // MARK: Words

  private mutating func readWord() -> Bool {
    let start = place
    count += 1
    guard count <= Self.mostWords else { return false }
    if readHereText() || readBracket() { return true }
    var word = (value: [UInt8](), isKnown: true, quotes: 0)
    while place < bytes.count, !bytes[place].isBlank, !Self.joining.contains(bytes[place]) {
      let byte = bytes[place]
      if Self.marks.contains(byte) {
        guard let text = quoted(byte) else { return false }
        word.value += text
        word.quotes += 1
      } else {
        guard !Self.special.contains(byte), byte > 0x20, byte != 0x7f else { return false }
        word.isKnown = word.isKnown && isPlain(byte, after: place == start ? nil : bytes[place - 1])
        word.value.append(byte)
        place += 1
      }
    }
    let ends = Self.marks.contains(bytes[start]) && Self.marks.contains(bytes[place - 1])
    append(
      CertainLine.Word(
        value: String(decoding: word.value, as: UTF8.self), isKnown: word.isKnown,
        isQuoted: word.quotes == 1 && ends), from: start)
    return true
  }

  /// Adds a word that begins at a place and ends here.
  private mutating func append(_ word: CertainLine.Word, from start: Int) {
    command.words.append(word)
    kept += bytes[(kept.isEmpty ? start : end)..<place]
    end = place
  }

  /// Reads a here-document in quotation marks, if the whole word is one.
  private mutating func readHereText() -> Bool {
    guard let text = HereText(bytes[place...]), bytes.count == text.end || bytes[text.end].endsWord else {
      return false
    }
    let start = place
    place = text.end
    let value = String(decoding: text.body, as: UTF8.self)
    append(CertainLine.Word(value: value, isKnown: false, isHere: true), from: start)
    return true
  }

  /// Reads a bracket behind a backslash, if the whole word is one. `find`, for example, takes brackets as words.
  private mutating func readBracket() -> Bool {
    let start = place
    guard bytes.count > start + 1, bytes[start] == UInt8(ascii: "\\"),
      Array("()".utf8).contains(bytes[start + 1]), bytes.count == start + 2 || bytes[start + 2].endsWord
    else { return false }
    place += 2
    append(CertainLine.Word(value: String(decoding: [bytes[start + 1]], as: UTF8.self)), from: start)
    return true
  }

  private static let marks = ByteSet("'\"")
  /// Signs that can mean something else outside of quotation marks, and inside of double ones.
  private static let special = ByteSet("$`\\!<>(){}#")
  private static let specialInQuotes = ByteSet("$`!")
  /// Signs that lose a backslash before them inside of double quotation marks. Before any other, it stands for itself.
  private static let escapable = ByteSet("$`\"\\\n")

  /// Reads a text in quotation marks; `nil` if a shell could replace something in it.
  private mutating func quoted(_ mark: UInt8) -> ArraySlice<UInt8>? {
    let rest = bytes[(place + 1)...]
    guard let close = rest.firstIndex(of: mark) else { return nil }
    let text = rest[..<close]
    let isPlain = text.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0.isBlank || $0 == UInt8(ascii: "\n") }
    guard isPlain, mark == UInt8(ascii: "'") || Self.standsForItself(text) else { return nil }
    place = close + 1
    return text
  }

  /// Whether no shell replaces anything in a text between double quotation marks.
  private static func standsForItself(_ text: ArraySlice<UInt8>) -> Bool {
    let isEscaping = text.indices.contains { place in
      text[place] == UInt8(ascii: "\\")
        && (place + 1 == text.endIndex || escapable.contains(text[place + 1]))
    }
    return !isEscaping && !text.contains { specialInQuotes.contains($0) }
  }

  private static let plain = ByteSet(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,^~-")

  /// Whether a sign stands for itself. A shell replaces a tilde only at the start of a word, or behind a colon or an
  /// equals sign in an assignment.
  private func isPlain(_ byte: UInt8, after last: UInt8?) -> Bool {
    guard byte == UInt8(ascii: "~") else { return Self.plain.contains(byte) }
    return last != nil && last != UInt8(ascii: ":") && last != UInt8(ascii: "=")
  }
}

extension UInt8 {
  /// Whether a word ends before the byte for certain.
  fileprivate var endsWord: Bool { isBlank || Self.joining.contains(self) }

  private static let joining = ByteSet("&|;")

  /// Whether a shell separates words at the byte. Other spaces belong to a word.
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
