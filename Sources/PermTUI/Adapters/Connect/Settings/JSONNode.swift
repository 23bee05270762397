/// A value in the text of a JSON document, with its place. The place makes it possible to change one value and to leave
/// all other bytes as the person wrote them.
struct JSONNode: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case object([Member])
    case array([JSONNode])
    case text(String)
    /// A number, `true`, `false` or `null`, as written.
    case word(String)
  }

  struct Member: Hashable, Sendable {
    var name: String
    /// The place of the quotation mark with which the name begins.
    var start: Int
    var value: JSONNode
  }

  var range: Range<Int>
  var content: Content

  /// The members of an object; `nil` for any other value.
  var members: [Member]? {
    guard case .object(let members) = content else { return nil }
    return members
  }

  /// The elements of an array; `nil` for any other value.
  var elements: [JSONNode]? {
    guard case .array(let elements) = content else { return nil }
    return elements
  }

  /// The characters of a string; `nil` for any other value.
  var text: String? {
    guard case .text(let text) = content else { return nil }
    return text
  }

  /// The member with this name. If the name occurs several times, the last one counts, as in the programs that read the
  /// settings.
  subscript(_ name: String) -> JSONNode? { members?.last { $0.name == name }?.value }

  /// The places of the members or elements, in order.
  var children: [Range<Int>] {
    switch content {
    case .object(let members): members.map { $0.start..<$0.value.range.upperBound }
    case .array(let elements): elements.map(\.range)
    case .text, .word: []
    }
  }
}

/// The reason why settings cannot be changed.
struct SettingsProblem: Error, Hashable {
  /// The number of the line, counted from 1.
  var line: Int
  var reason: String
}
