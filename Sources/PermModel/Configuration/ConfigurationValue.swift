import TOMLKit

/// A value of a configuration file, copied out of the parser.
package indirect enum ConfigurationValue {
  case text(String)
  case integer(Int)
  case flag(Bool)
  case list([ConfigurationValue])
  case table([String: ConfigurationValue])
  /// A kind of value that no key takes.
  case other

  /// Reads a file's text as TOML.
  package static func parse(_ text: String, file: String) throws(ConfigurationProblem) -> ConfigurationValue {
    if let trap = ParserTrap(in: text) {
      throw ConfigurationProblem(file: file, place: .line(trap.line), message: trap.message)
    }
    do {
      let root = try TOMLTable(string: text)
      // Inner tables borrow the root's memory, so all is copied while the root is there.
      return withExtendedLifetime(root) { .table(copy(root)) }
    } catch let error as TOMLParseError {
      throw ConfigurationProblem(
        file: file, place: .line(error.source.begin.line), message: "\(error.description)")
    } catch {
      throw ConfigurationProblem(file: file, message: "cannot be read as TOML: \(error)")
    }
  }

  private static func copy(_ table: TOMLTable) -> [String: ConfigurationValue] {
    Dictionary(table.keys.map { ($0, copy(table[$0])) }, uniquingKeysWith: { first, _ in first })
  }

  private static func copy(_ value: (any TOMLValueConvertible)?) -> ConfigurationValue {
    guard let value else { return .other }
    switch value.type {
    case .string: return value.string.map { .text($0) } ?? .other
    case .int: return value.int.map { .integer($0) } ?? .other
    case .bool: return value.bool.map { .flag($0) } ?? .other
    case .table: return value.table.map { .table(copy($0)) } ?? .other
    case .array: return value.array.map { .list($0.map { copy($0) }) } ?? .other
    default: return .other
    }
  }
}
