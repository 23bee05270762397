/// A line of text that is being typed.
struct TextField: Hashable, Sendable {
  private(set) var characters: [Character] = []
  /// The number of characters before the cursor.
  private(set) var cursor = 0
  /// The maximum number of characters. Further characters are ignored.
  var limit = 120

  var text: String { String(characters) }
  var isEmpty: Bool { characters.isEmpty }

  /// If the key is an editing key, edits the line and returns true. Otherwise returns false.
  mutating func press(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert(character)
    case .backspace: removeBackwards(1)
    case .delete where cursor < characters.count: characters.remove(at: cursor)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = characters.count
    case .control("u"): removeBackwards(cursor)
    case .control("w"): removeBackwards(wordLength)
    default: return false
    }
    return true
  }

  /// Inserts a paste. Newlines become spaces, so that a paste never submits the line.
  mutating func paste(_ text: String) {
    for character in text { insert(character.isNewline ? " " : character) }
  }

  private mutating func insert(_ character: Character) {
    guard characters.count < limit else { return }
    characters.insert(character, at: cursor)
    cursor += 1
  }

  private mutating func removeBackwards(_ count: Int) {
    let count = min(count, cursor)
    characters.removeSubrange(cursor - count..<cursor)
    cursor -= count
  }

  /// The number of characters between the cursor and the start of the last word before it.
  private var wordLength: Int {
    let before = characters[..<cursor].reversed()
    let blanks = before.prefix { $0.isWhitespace }.count
    return blanks + before.dropFirst(blanks).prefix { !$0.isWhitespace }.count
  }
}
