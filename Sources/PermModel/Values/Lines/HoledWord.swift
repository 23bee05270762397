/// A word of a line with holes.
struct HoledWord: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case literal([UInt8])
    case hole(Hole)
  }

  /// The part of a word that may vary.
  enum Hole: Hashable, Sendable {
    /// ASCII letters, digits, `.`, `_` and `-`, beginning with a letter or digit.
    case word
    /// Words joined by single slashes.
    case name
    /// One to nine digits.
    case number
    /// An existing file or folder, with the signs of a name. `./` may stand before it, and `::` with a word behind it.
    case file
    /// A word in quotation marks in which nothing is replaced, or a here-document.
    case text
    /// One of some words.
    case oneOf([String])

    init?(named name: String) {
      switch name {
      case "word": self = .word
      case "name": self = .name
      case "number": self = .number
      case "file": self = .file
      case "text": self = .text
      default: return nil
      }
    }
  }

  private(set) var parts: [Part] = []

  /// Creates a value from a word in which marks stand for holes.
  init(_ word: String, _ holes: [Hole], _ mark: (Int) -> String) {
    var rest = word[...]
    for (number, hole) in holes.enumerated() {
      guard let range = rest.firstRange(of: mark(number)) else { continue }
      if range.lowerBound > rest.startIndex { parts.append(.literal(Array(rest[..<range.lowerBound].utf8))) }
      parts.append(.hole(hole))
      rest = rest[range.upperBound...]
    }
    if !rest.isEmpty || parts.isEmpty { parts.append(.literal(Array(rest.utf8))) }
  }

  /// The word, if it has no hole.
  var literal: String? {
    guard parts.count == 1, case .literal(let bytes) = parts[0] else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the word can be any text.
  var isText: Bool { parts == [.hole(.text)] }

  private var start: String {
    if case .literal(let bytes) = parts.first { String(decoding: bytes, as: UTF8.self) } else { "" }
  }

  private var literals: [String] {
    parts.compactMap {
      if case .literal(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
  }

  /// Whether the word begins with an address whose host is written out.
  var hasHost: Bool {
    guard let scheme = start.firstRange(of: "://") else { return false }
    let rest = start[scheme.upperBound...]
    if rest.contains("/") { return rest.first != "/" }
    guard rest.count > 1, rest.hasSuffix(":"), parts.count > 2, parts[1] == .hole(.number),
      case .literal(let next) = parts[2]
    else { return false }
    return next.first == UInt8(ascii: "/")
  }

  // MARK: Places of holes

  /// Throws an error if a hole could make the word an option, an address, or another program's file.
  func check() throws(ScopeError) {
    guard literal == nil else { return }
    if parts.contains(.hole(.text)), parts.count > 1 { throw .hole(.textInWord) }
    let isLongOption = start.hasPrefix("--") && start.hasSuffix("=")
    if start.hasPrefix("-"), !isLongOption { throw .hole(.option) }
    for (one, next) in zip(parts, parts.dropFirst()) {
      if case .hole = one, case .hole = next { throw .hole(.adjacent) }
    }
    let rest = literals.dropFirst(isLongOption ? 1 : 0).joined(separator: " ")
    if rest.contains("..") || rest.contains("@") || rest.contains("=") || start.hasPrefix("~") {
      throw .hole(.way)
    }
    if literals.contains(where: { $0.contains("://") }), !hasHost { throw .hole(.host) }
  }

  // MARK: Filling

  /// Returns what fills the holes, if a word fits; otherwise `nil`.
  func filling(by word: CertainLine.Word) -> [HoledLine.Filling]? {
    let bytes = Array(word.value.utf8)
    if isText {
      return word.isText && bytes.first.map(Array("-=@".utf8).contains) == false ? [] : nil
    }
    guard word.isKnown else { return nil }
    if let literal { return literal.utf8.elementsEqual(bytes) ? [] : nil }
    guard bytes.count <= Self.longest, fits(bytes), !word.value.contains("..") else { return nil }
    if start.isEmpty, bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "=") { return nil }
    return [HoledLine.Filling(word: word.value, file: file(in: word.value))]
  }

  /// The part of a word that must be a file: what stands before `::`, without the option's name.
  private func file(in word: String) -> String? {
    guard parts.contains(.hole(.file)) else { return nil }
    let value = word.dropFirst(start.hasPrefix("--") ? start.count : 0)
    return String(value.firstRange(of: "::").map { value[..<$0.lowerBound] } ?? value)
  }

  /// The greatest length of a word that fills holes, in bytes.
  private static let longest = 512

  private func fits(_ bytes: [UInt8]) -> Bool {
    // The places up to which the parts so far can reach.
    var reached: Set<Int> = [0]
    for (index, part) in parts.enumerated() {
      switch part {
      case .literal(let literal):
        reached = Set(reached.filter { bytes[$0...].starts(with: literal) }.map { $0 + literal.count })
      case .hole(let hole):
        let next = parts.indices.contains(index + 1) ? parts[index + 1] : nil
        let ends = bytes.indices.map { $0 + 1 }.filter { end in
          // Two holes never stand side by side.
          guard case .literal(let literal) = next else { return end == bytes.count }
          return bytes[end...].starts(with: literal)
        }
        reached = Set(ends.filter { end in reached.contains { $0 < end && hole.accepts(bytes[$0..<end]) } })
      }
    }
    return reached.contains(bytes.count)
  }
}

extension HoledWord.Hole {
  /// Whether a text fills the hole.
  fileprivate func accepts(_ text: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .word: Self.isWord(text)
    case .name: Self.isName(text)
    case .number: text.count <= 9 && text.allSatisfy { (0x30...0x39).contains($0) }
    case .file: Self.isFile(text)
    case .text: false
    case .oneOf(let words): words.contains { $0.utf8.elementsEqual(text) }
    }
  }

  private static func isWord(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, first.isNameByte, first != UInt8(ascii: "_") else { return false }
    return text.allSatisfy { $0.isNameByte || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
  }

  private static func isName(_ text: ArraySlice<UInt8>) -> Bool {
    text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy(isWord)
  }

  private static func isFile(_ text: ArraySlice<UInt8>) -> Bool {
    let path = text.starts(with: "./".utf8) ? text.dropFirst(2) : text
    let mark = path.firstIndex(of: UInt8(ascii: ":")) ?? path.endIndex
    let test = path[mark...]
    return isName(path[..<mark])
      && (test.isEmpty || test.starts(with: "::".utf8) && isWord(test.dropFirst(2)))
  }
}
