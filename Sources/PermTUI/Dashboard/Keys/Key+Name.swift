extension Key {
  private static let named: [Key] = [
    .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home, .end, .pageUp,
    .pageDown, .character(" "),
  ]

  /// The key of a name as help writes it: `x`, `^X`, `F5`, `PgDn`, `Space`.
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
}
