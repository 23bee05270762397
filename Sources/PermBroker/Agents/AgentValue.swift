import FoundationEssentials
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

  /// Reads a document. Returns `nil` if the bytes are not one JSON document in UTF-8.
  init?(_ document: [UInt8]) {
    guard let value = try? JSONDecoder().decode(AgentValue.self, from: Data(document)) else { return nil }
    self = value
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

extension AgentValue: Decodable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let members = try? container.decode([String: AgentValue].self) {
      self = .object(members)
    } else if let elements = try? container.decode([AgentValue].self) {
      self = .list(elements)
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let number = try? container.decode(Int64.self) {
      self = .integer(number)
    } else {
      self = .decimal(try container.decode(Double.self))
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
