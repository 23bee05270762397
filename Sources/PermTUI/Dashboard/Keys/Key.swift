/// A key as a person would name it, whatever bytes the terminal sends for it.
enum Key: Hashable, Sendable {
  /// A printable character, including the space.
  case character(Character)
  /// A letter pressed together with Control, in lower case: `.control("c")` is ^C.
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  case function(Int)
}

extension Key: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral {
  init(extendedGraphemeClusterLiteral character: Character) { self = .character(character) }
}

extension Key: CustomStringConvertible {
  /// The name of the key in help, in the bottom line and in the documentation.
  var description: String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control(let letter): "^" + letter.uppercased()
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: "Shift-Tab"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .function(let number): "F\(number)"
    }
  }
}

extension Key {
  private static let named: [Key] = [
    .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home, .end, .pageUp,
    .pageDown, .character(" "),
  ]

  /// Creates the key with the name that help uses: `x`, `^X`, `F5`, `PgDn`, `Space`.
  init?(name: String) {
    if let key = Self.named.first(where: { $0.description.lowercased() == name.lowercased() }) {
      self = key
    } else if name.count == 1, let character = name.first, !character.isWhitespace {
      self = .character(character)
    } else if name.count == 2, name.first == "^", let letter = name.last?.lowercased().first, letter.isLetter
    {
      self = .control(letter)
    } else if name.first == "F", let number = Int(name.dropFirst()), (1...24).contains(number) {
      self = .function(number)
    } else {
      return nil
    }
  }

  /// Whether the key is usually pressed on purpose. This excludes Enter, the space bar and the keys that move
  /// the selection or the cursor, which people press out of habit.
  var isDeliberate: Bool {
    switch self {
    case .character(let character): character != " "
    case .function: true
    default: false
    }
  }
}
