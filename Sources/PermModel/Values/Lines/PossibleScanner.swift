/// Reads the words of every place in a line where a command can begin: after separators, line breaks and brackets, and in
/// substitutions. Where shells disagree about a line, it says that the line is odd.
struct PossibleScanner {
  /// A word without its quotation marks.
  struct Word: Hashable {
    var bytes: [UInt8] = []
    /// Whether no shell replaces a part of the word. What it replaces is in ``bytes`` as it stands in the line.
    var isLiteral = true
    /// Whether the word stands for one word at most, because nothing outside of quotation marks is replaced.
    var isOne = true
    var isQuoted = false

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The words between two places where a command can begin or end.
  struct Piece {
    var words: [Word] = []
    /// The texts that the command reads from the line: a here-document, or the word behind `<<<`.
    var input: [[UInt8]] = []
    var isPipedInto = false
    /// Whether it is certain that a command begins here.
    var isCertain = true
    /// The number of the command, by which its here-documents find it.
    fileprivate(set) var number = 0
  }

  private let bytes: [UInt8]
  private var place = 0
  private(set) var pieces: [Piece] = []
  /// Whether shells could read the line in different ways.
  private(set) var isOdd = false
  /// Whether the line leaves a command to run in the background.
  private(set) var leavesCommands = false
  /// Whether there is more in the line than is read.
  private(set) var isCut = false
  private var piece = Piece()
  private var documents: [Document] = []
  private var depth = 0
  private var count = 0
  /// Whether the next backtick ends the commands that are being read.
  private var isInBackticks = false

  /// A here-document whose text has not been read yet.
  private struct Document {
    var end: [UInt8]
    var isQuoted: Bool
    var dropsTabs: Bool
    /// The number of the piece that reads it.
    var reader: Int
  }

  private static let deepest = 12
  /// The greatest number of words that are read, and of bytes in the texts within the line.
  private static let (mostWords, mostBytes) = (512, 16 << 10)
  /// The number of words so far, and of bytes in texts within the line.
  private var (wordCount, byteCount) = (0, 0)

  init(_ text: some Collection<UInt8>) {
    bytes = Array(text)
    readCommands(until: nil)
    isOdd = isOdd || !documents.isEmpty
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func isNext(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[place...].starts(with: $0) }
  }

  // MARK: Commands

  private mutating func readCommands(until close: UInt8?) {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest else { return cut() }
    while let byte = next {
      if byte == close { break }
      read(byte)
    }
    if next == nil, close != nil { isOdd = true }
    place += 1
    finish()
  }

  /// Reads no further, because that could take long.
  private mutating func cut() {
    (isCut, isOdd) = (true, true)
    place = bytes.count
  }

  private mutating func read(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"): place += 1
    case UInt8(ascii: "\n"):
      place += 1
      finish()
      readDocuments()
    case UInt8(ascii: "\r"), UInt8(ascii: ";"):
      place += 1
      finish()
    case UInt8(ascii: ")"):
      // It ends a pattern of `case`.
      place += 1
      piece.isCertain = false
      finish()
    case UInt8(ascii: "&"), UInt8(ascii: "|"): readJoint(byte)
    case UInt8(ascii: "("):
      nest(isCertain: piece.words.isEmpty, from: 1, until: UInt8(ascii: ")"))
    case UInt8(ascii: "<"), UInt8(ascii: ">"): readRedirection(byte)
    case UInt8(ascii: "#"): skipComment()
    case UInt8(ascii: "\\") where isNext("\\\n"): place += 2
    default: readWord()
    }
  }

  private mutating func readJoint(_ byte: UInt8) {
    let sign = bytes[place...].prefix { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "|") }
    place += sign.count
    let isPipe = sign.elementsEqual("|".utf8) || sign.elementsEqual("|&".utf8)
    if sign.elementsEqual("&".utf8), next != UInt8(ascii: ">") { leavesCommands = true }
    finish()
    piece.isPipedInto = isPipe
  }

  /// Ends the command that is being read. A standing `{` can begin a new one in the middle of it.
  private mutating func finish() {
    guard !piece.words.isEmpty || !piece.input.isEmpty || !documents.isEmpty else {
      return begin(isCertain: true)
    }
    let groups = piece.words.split {
      !$0.isQuoted && ($0.bytes == Array("{".utf8) || $0.bytes == Array("}".utf8))
    }
    for (number, words) in groups.enumerated() {
      var part = piece
      part.words = Array(words)
      part.isCertain = piece.isCertain && (number == 0)
      pieces.append(part)
    }
    if groups.isEmpty, documents.contains(where: { $0.reader == piece.number }) || !piece.input.isEmpty {
      pieces.append(piece)
    }
    begin(isCertain: true)
  }

  private mutating func begin(isCertain: Bool) {
    count += 1
    piece = Piece(isCertain: isCertain, number: count)
  }

  /// Reads commands in brackets, and returns to the command around them.
  private mutating func nest(isCertain: Bool, from skipped: Int, until close: UInt8) {
    let outer = (piece, isInBackticks)
    if !documents.isEmpty { isOdd = true }
    begin(isCertain: isCertain)
    isInBackticks = isInBackticks || close == UInt8(ascii: "`")
    place += skipped
    readCommands(until: close)
    if !documents.isEmpty { isOdd = true }
    (piece, isInBackticks) = outer
  }

  private mutating func skipComment() {
    // In backticks, and at a return, some shells end a comment early.
    let comment = bytes[place...].prefix { $0 != UInt8(ascii: "\n") }
    if comment.contains(UInt8(ascii: "\r")) || isInBackticks { isOdd = true }
    place += comment.count
  }

  // MARK: Redirections

  private mutating func readRedirection(_ byte: UInt8) {
    dropNumber()
    if isNext("<(") || isNext(">(") {
      nest(isCertain: true, from: 2, until: UInt8(ascii: ")"))
      // The command gets the name of a file.
      return piece.words.append(Word(bytes: Array("/dev/fd".utf8), isLiteral: false))
    }
    let sign = bytes[place...].prefix { Array("<>&|-".utf8).contains($0) }
    // `>&-` and `<<-` end with a hyphen; a name can begin with one.
    let operation = sign.last == UInt8(ascii: "-") && !sign.elementsEqual("<<-".utf8) ? sign.dropLast() : sign
    place += operation.count
    skipBlanks()
    guard let target = target() else { return }
    switch String(decoding: operation, as: UTF8.self) {
    case "<<", "<<-":
      documents.append(
        Document(
          end: target.bytes, isQuoted: target.isQuoted, dropsTabs: operation.count == 3, reader: piece.number)
      )
    case "<<<": piece.input.append(target.bytes)
    default: break
    }
  }

  /// Drops the number of a descriptor, which stands directly before the sign.
  private mutating func dropNumber() {
    guard place > 0, !bytes[place - 1].isBlank, let last = piece.words.last, !last.isQuoted,
      String(decoding: last.bytes, as: UTF8.self)[...].isNumber
    else { return }
    piece.words.removeLast()
  }

  private mutating func skipBlanks() { while next?.isBlank == true { place += 1 } }

  /// Reads the word behind a redirection; `nil` if there is none.
  private mutating func target() -> Word? {
    let count = piece.words.count
    if let next, !Self.ends.contains(next) { readWord() }
    return piece.words.count > count ? piece.words.removeLast() : nil
  }

  // MARK: Here-documents

  private mutating func readDocuments() {
    let waiting = documents
    documents = []
    for document in waiting { read(document) }
  }

  private mutating func read(_ document: Document) {
    var body: [UInt8] = []
    while place < bytes.count {
      var line = bytes[place...].prefix { $0 != UInt8(ascii: "\n") }
      place += line.count + 1
      if document.dropsTabs { line = line.drop { $0 == UInt8(ascii: "\t") } }
      if line.elementsEqual(document.end) { return take(body, of: document) }
      // Inside a substitution, some shells end the document at a line that only begins so. Others join lines.
      if line.drop(while: \.isBlank).starts(with: document.end) || line.last == UInt8(ascii: "\\") {
        isOdd = true
      }
      body += line + [UInt8(ascii: "\n")]
    }
    isOdd = true
    take(body, of: document)
  }

  private mutating func take(_ body: [UInt8], of document: Document) {
    for index in pieces.indices where pieces[index].number == document.reader {
      pieces[index].input.append(body)
    }
    guard !document.isQuoted else { return }
    // Substitutions in it are performed, as in quotation marks.
    var inner = PossibleScanner(quoted: body, in: self)
    (wordCount, byteCount) = (inner.wordCount, inner.byteCount)
    if inner.isOdd { isOdd = true }
    if inner.isCut { cut() }
    for index in inner.pieces.indices { inner.pieces[index].isCertain = false }
    pieces += inner.pieces
  }

  /// Reads the substitutions in a text within a line.
  private init(quoted text: [UInt8], in outer: PossibleScanner) {
    bytes = text
    (depth, wordCount, byteCount) = (outer.depth + 1, outer.wordCount, outer.byteCount + text.count)
    guard depth < Self.deepest, byteCount <= Self.mostBytes else {
      cut()
      return
    }
    var word = Word()
    while let byte = next { readInQuotes(byte, &word) }
  }
}

// MARK: - Words

extension PossibleScanner {
  fileprivate static let ends = ByteSet(" \t\n\r;&|()<>")

  private static let escapable = ByteSet("$`\"\\\n")
  private static let oddInBraces = ByteSet("'\"\\{}")

  private mutating func readWord() {
    wordCount += 1
    guard wordCount <= Self.mostWords else { return cut() }
    var word = Word()
    while let byte = next, !Self.ends.contains(byte), !isClosing(byte) {
      switch byte {
      case UInt8(ascii: "\\"): readEscape(&word)
      case UInt8(ascii: "'"): readSingle(&word)
      case UInt8(ascii: "\""): readDouble(&word)
      case UInt8(ascii: "$"), UInt8(ascii: "`"): readReplaced(&word)
      default:
        if isPattern(byte, word) { (word.isLiteral, word.isOne) = (false, false) }
        word.bytes.append(byte)
        place += 1
      }
    }
    piece.words.append(word)
  }

  private func isClosing(_ byte: UInt8) -> Bool { isInBackticks && byte == UInt8(ascii: "`") }

  /// Whether a sign makes a word stand for others: for files, or for the words between braces.
  private func isPattern(_ byte: UInt8, _ word: Word) -> Bool {
    switch byte {
    case UInt8(ascii: "*"), UInt8(ascii: "?"): return true
    case UInt8(ascii: "["):
      return !word.bytes.isEmpty || next.map { !Self.ends.contains($0) } == true && !isAlone
    case UInt8(ascii: "{"): return !isAlone
    case UInt8(ascii: "="): return word.bytes.isEmpty
    case UInt8(ascii: "^"): return word.bytes.isEmpty
    default: return false
    }
  }

  /// Whether the sign at this place is a word by itself, possibly doubled, as `[[` is.
  private var isAlone: Bool {
    let rest = bytes[place...].drop { $0 == bytes[place] }
    return rest.first.map { Self.ends.contains($0) } ?? true
  }

  private mutating func readEscape(_ word: inout Word) {
    place += 1
    guard let byte = next else { return isOdd = true }
    place += 1
    word.isQuoted = true
    if byte == UInt8(ascii: "\n") { joinLines() } else { word.bytes.append(byte) }
    if byte == UInt8(ascii: "\r"), next == UInt8(ascii: "\n") { place += 1 }
  }

  /// A shell joins lines at a backslash, also in the middle of a sign.
  private mutating func joinLines() {
    if place > 2, Array("$<>&|(`{".utf8).contains(bytes[place - 3]) { isOdd = true }
  }

  private mutating func readSingle(_ word: inout Word) {
    let text = bytes[(place + 1)...].prefix { $0 != UInt8(ascii: "'") }
    if text.endIndex == bytes.endIndex || isInBackticks && text.contains(UInt8(ascii: "`")) { isOdd = true }
    word.bytes += text
    word.isQuoted = true
    place = text.endIndex + 1
  }

  private mutating func readDouble(_ word: inout Word) {
    place += 1
    word.isQuoted = true
    while let byte = next, byte != UInt8(ascii: "\""), !isClosing(byte) { readInQuotes(byte, &word) }
    if next != UInt8(ascii: "\"") { isOdd = true }
    place += 1
  }

  private mutating func readInQuotes(_ byte: UInt8, _ word: inout Word) {
    switch byte {
    case UInt8(ascii: "\\"):
      place += 1
      if let escaped = next, !Self.escapable.contains(escaped) { word.bytes.append(byte) }
      if let escaped = next, escaped != UInt8(ascii: "\n") { word.bytes.append(escaped) }
      place += 1
      if bytes[place - 1 < bytes.count ? place - 1 : 0] == UInt8(ascii: "\n") { joinLines() }
    case UInt8(ascii: "$"), UInt8(ascii: "`"):
      let (start, isOne) = (place, word.isOne)
      readReplaced(&word, inQuotes: true)
      // `"$@"` stands for any number of words.
      word.isOne = isOne && !bytes[start..<min(place, bytes.count)].contains(UInt8(ascii: "@"))
    default:
      word.bytes.append(byte)
      place += 1
    }
  }

  /// Reads what a shell replaces: a variable, or the output of commands.
  private mutating func readReplaced(_ word: inout Word, inQuotes: Bool = false) {
    let start = place
    let isBacktick = next == UInt8(ascii: "`")
    if isBacktick || isNext("$(") {
      nest(
        isCertain: true, from: isBacktick ? 1 : 2, until: isBacktick ? UInt8(ascii: "`") : UInt8(ascii: ")"))
      if isBacktick, bytes[start..<min(place, bytes.count)].contains(UInt8(ascii: "\\")) { isOdd = true }
    } else if isNext("${") || isNext("$[") {
      readBraces()
    } else if !inQuotes, isNext("$'") || isNext("$\"") {
      // Only some shells read it as a text with escapes.
      isOdd = true
      place += 1
      word.isLiteral = false
      return
    } else {
      place += 1
      let name = bytes[place...].prefix { $0.isNameByte }
      place += name.isEmpty && next.map { Array("@*#?-$!".utf8).contains($0) } == true ? 1 : name.count
      if place == start + 1 { return word.bytes.append(UInt8(ascii: "$")) }
    }
    word.bytes += bytes[start..<min(place, bytes.count)]
    (word.isLiteral, word.isOne) = (false, false)
  }

  /// Reads up to the end of `${…}`, with the substitutions in it.
  private mutating func readBraces() {
    let close = bytes[place + 1] == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
    place += 2
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest else { return cut() }
    var inner = Word()
    while let byte = next, byte != close {
      // Quotation marks, and more braces, are read differently there.
      if Self.oddInBraces.contains(byte) { isOdd = true }
      readInQuotes(byte, &inner)
    }
    if next == nil { isOdd = true }
    place += 1
  }
}

extension UInt8 {
  /// Whether the byte can stand in the name of a variable.
  var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
