import PermModel

/// A JSON document that a command prints.
///
/// Keys are sorted, so that equal documents always become equal strings.
enum JSON: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init(_ text: String?) {
    self = text.map { .text($0) } ?? .null
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
  init(stringLiteral value: String) { self = .text(value) }
  init(booleanLiteral value: Bool) { self = .boolean(value) }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(arrayLiteral elements: JSON...) { self = .list(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

extension JSON: CustomStringConvertible {
  /// The document on one line.
  var description: String {
    var result = ""
    write(to: &result)
    return result
  }

  private func write(to result: inout String) {
    switch self {
    case .null: result += "null"
    case .boolean(let value): result += value ? "true" : "false"
    case .integer(let value): result += String(value)
    case .text(let text): result += text.jsonQuoted
    case .list(let elements):
      result += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { result += "," }
        element.write(to: &result)
      }
      result += "]"
    case .object(let members):
      result += "{"
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { result += "," }
        result += member.key.jsonQuoted + ":"
        member.value.write(to: &result)
      }
      result += "}"
    }
  }
}
