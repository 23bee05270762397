/// A value in the text of a JSON document, with its place. The place makes it possible to change one value and to leave
/// all other bytes as the person wrote them.
package struct JSONNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case object([Member])
    case array([JSONNode])
    case text(String)
    /// A number, `true`, `false` or `null`, as written.
    case word(String)
  }

  package struct Member: Hashable, Sendable {
    package var name: String
    /// The place of the quotation mark with which the name begins.
    package var start: Int
    package var value: JSONNode
  }

  package var range: Range<Int>
  package var content: Content

  /// The members of an object; `nil` for any other value.
  package var members: [Member]? {
    guard case .object(let members) = content else { return nil }
    return members
  }

  /// The elements of an array; `nil` for any other value.
  package var elements: [JSONNode]? {
    guard case .array(let elements) = content else { return nil }
    return elements
  }

  /// The characters of a string; `nil` for any other value.
  package var text: String? {
    guard case .text(let text) = content else { return nil }
    return text
  }

  /// The member with this name. If the name occurs several times, the last one counts, as in the programs that read the
  /// settings.
  package subscript(_ name: String) -> JSONNode? { members?.last { $0.name == name }?.value }

  /// The places of the members or elements, in order.
  package var children: [Range<Int>] {
    switch content {
    case .object(let members): members.map { $0.start..<$0.value.range.upperBound }
    case .array(let elements): elements.map(\.range)
    case .text, .word: []
    }
  }
}
