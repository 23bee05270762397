import PermModel

/// A value in the JSON document that an agent sends, such as the input of a tool. It is untrusted.
package enum AgentValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case decimal(Double)
  case text(String)
  case list([AgentValue])
  case object([String: AgentValue])

  /// Reads a document. Returns `nil` if the bytes are not one JSON document in UTF-8, or if a member comes twice, of which
  /// the agent could use the other one.
  init?(_ document: [UInt8]) {
    guard let node = try? JSONReader.read(document, refusesRepeats: true) else { return nil }
    self.init(node)
  }

  /// Returns a member of an object; `nil` if there is none, or if this is not an object.
  subscript(name: String) -> AgentValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// Whether a text in the value contains a NUL, which no text of a request can contain.
  var hasNUL: Bool {
    switch self {
    case .null, .boolean, .integer, .decimal: false
    case .text(let text): text.utf8.contains(0)
    case .list(let elements): elements.contains(where: \.hasNUL)
    case .object(let members): members.contains { $0.key.utf8.contains(0) || $0.value.hasNUL }
    }
  }
}

extension AgentValue {
  private init(_ node: JSONNode) {
    switch node.content {
    case .text(let text): self = .text(text)
    case .array(let elements): self = .list(elements.map(AgentValue.init))
    case .object(let members):
      self = .object(Dictionary(members.map { ($0.name, AgentValue($0.value)) }) { _, last in last })
    case .word("null"): self = .null
    case .word("true"): self = .boolean(true)
    case .word("false"): self = .boolean(false)
    case .word(let number): self = Int64(number).map(AgentValue.integer) ?? .decimal(Double(number) ?? 0)
    }
  }
}

extension AgentValue: CustomStringConvertible {
  /// The value as JSON on one line. Equal values have equal texts, because the members of objects are sorted.
  package var description: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .text(let text): text.jsonQuoted
    case .list(let elements): "[\(elements.map(\.description).joined(separator: ","))]"
    case .object(let members):
      "{" + members.sorted { $0.key < $1.key }.map { "\($0.jsonQuoted):\($1)" }.joined(separator: ",") + "}"
    }
  }

  /// The members of an object, one on each line; for any other value, the value on one line.
  var lines: [String] {
    guard case .object(let members) = self else { return [description] }
    return members.sorted { $0.key < $1.key }.map { "\($0.jsonQuoted): \($1)" }
  }
}
