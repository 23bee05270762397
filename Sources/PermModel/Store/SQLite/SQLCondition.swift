import GRDB

/// A `WHERE` clause that grows, with its arguments.
struct SQLCondition {
  private(set) var arguments: [any DatabaseValueConvertible] = []
  private var terms: [String] = []

  /// The clause; empty while nothing narrows.
  var sql: String { terms.isEmpty ? "" : "WHERE " + terms.joined(separator: " AND ") }

  mutating func add(_ term: String, _ argument: some DatabaseValueConvertible) {
    terms.append(term)
    arguments.append(argument)
  }

  mutating func add(_ term: String, _ arguments: [String]) {
    terms.append(term)
    self.arguments += arguments
  }
}
