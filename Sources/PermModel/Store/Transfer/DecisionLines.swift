import FoundationEssentials

/// Decisions as lines of JSON, for export and import.
///
/// The first line names the format, and each further line contains one decision. Lifetimes and origins are written as
/// they are in the store. Times are written as microseconds since 1970.
package enum DecisionLines {
  /// The format that this code writes.
  static let format = 2

  /// Returns the lines of an export, without newlines.
  package static func encode(_ decisions: some Sequence<Decision>) throws(StoreError) -> [String] {
    try storeErrors(at: "export") {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let head = String(
        decoding: try encoder.encode(Head(permtui: "decisions", format: format)), as: UTF8.self)
      return try [head]
        + decisions.map { String(decoding: try encoder.encode(DecisionLine($0)), as: UTF8.self) }
    }
  }

  /// Parses exported lines.
  ///
  /// - Parameter definition: Returns the definition of the capability with a name; `nil` if there is none.
  /// - Throws: ``StoreError/unreadableLine(number:reason:)`` for the first line that cannot be read, and
  ///   ``StoreError/newerVersion(path:found:known:)`` for an export from a newer version of the program.
  package static func decode(
    _ lines: some Sequence<String>,
    definition: (String) -> CapabilityDefinition? = { CapabilityCatalogue.builtIn[$0]?.definition }
  ) throws(StoreError) -> [Decision] {
    let decoder = JSONDecoder()
    let lines = lines.enumerated().filter { !$0.element.allSatisfy(\.isWhitespace) }
    if let head = lines.first { try readHead(Data(head.element.utf8), decoder) }
    var decisions: [Decision] = []
    for (index, line) in lines.dropFirst() {
      do {
        decisions.append(try decoder.decode(DecisionLine.self, from: Data(line.utf8)).decision(definition))
      } catch {
        throw StoreError.unreadableLine(number: index + 1, reason: reason(error))
      }
    }
    return decisions
  }

  private static func readHead(_ data: Data, _ decoder: JSONDecoder) throws(StoreError) {
    guard let head = try? decoder.decode(Head.self, from: data), head.permtui == "decisions" else {
      throw StoreError.unreadableLine(
        number: 1, reason: "this is not an export of permtui: its first line is missing")
    }
    guard head.format > 0 else {
      throw StoreError.unreadableLine(number: 1, reason: "there is no format \(head.format)")
    }
    guard head.format <= format else {
      throw StoreError.newerVersion(path: "the export", found: head.format, known: format)
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\"\(context.codingPath.map(\.stringValue).joined(separator: "."))\" has the wrong type"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\"\(context.codingPath.map(\.stringValue).joined(separator: "."))\": \(context.debugDescription)"
    default: "this is not a JSON object"
    }
  }

  private struct Head: Codable {
    var permtui: String
    var format: Int
  }
}
