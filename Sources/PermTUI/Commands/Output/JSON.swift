import PermModel

/// A JSON document that a command prints.
///
/// Keys are sorted, so that equal documents always become equal strings. Every character that could deceive a
/// person who reads the document on a terminal is escaped. JSON allows this without loss of information.
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
    case .text(let text): Self.write(text, to: &result)
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
        Self.write(member.key, to: &result)
        result += ":"
        member.value.write(to: &result)
      }
      result += "}"
    }
  }

  private static func write(_ text: String, to result: inout String) {
    result += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where VisibleText.isPlain(scalar): result.unicodeScalars.append(scalar)
      default: for unit in String(scalar).utf16 { result += escape(unit) }
      }
    }
    result += "\""
  }

  private static func escape(_ unit: UInt16) -> String {
    // Adding 0x10000 and then dropping the first digit keeps the leading zeros.
    "\\u" + String(0x10000 + Int(unit), radix: 16).dropFirst()
  }
}
