/// A value in a configuration file.
package indirect enum ConfigurationValue: Hashable, Sendable {
  case text(String)
  case integer(Int)
  case flag(Bool)
  case list([ConfigurationValue])
  case table(ConfigurationEntries)

  fileprivate var isDamaged: Bool {
    switch self {
    case .text, .integer, .flag: false
    case .list(let values): values.contains(where: \.isDamaged)
    case .table(let entries): entries.isDamaged
    }
  }
}

/// The keys and values of a table, in the order in which the file contains them.
package struct ConfigurationEntries: Hashable, Sendable {
  package private(set) var keys: [String] = []
  private var values: [String: ConfigurationValue] = [:]
  /// Whether a mistake caused a setting to be left out of this table itself. Tables inside it do not count.
  var hasMistake = false

  /// Whether a mistake caused a setting to be left out of this table or of a table inside it. If so, the
  /// remaining settings might not mean what their author intended.
  var isDamaged: Bool { hasMistake || values.values.contains(where: \.isDamaged) }

  package subscript(key: String) -> ConfigurationValue? { values[key] }
}

// MARK: Reading them

extension ConfigurationEntries {
  /// Inserts a value at the end of a path, and creates missing tables along the path.
  mutating func insert(_ value: ConfigurationValue, at path: [String]) throws(ConfigurationMistake) {
    guard let key = path.last else { return }
    try change(path.dropLast()) { table throws(ConfigurationMistake) in
      guard table.values[key] == nil else { throw .taken(key) }
      table.keys.append(key)
      table.values[key] = value
    }
  }

  /// Adds an empty table to the list at the end of a path.
  mutating func appendTable(at path: [String]) throws(ConfigurationMistake) {
    guard let key = path.last else { return }
    try change(path.dropLast()) { table throws(ConfigurationMistake) in
      if table.values[key] == nil { table.keys.append(key) }
      try table.values[key, default: .list([])].append(.table(ConfigurationEntries()), key)
    }
  }

  /// Changes the table at the end of a path, and creates missing tables along the path. If a key on the path stands for
  /// a list of tables, the last table in that list is used.
  mutating func change(
    _ path: ArraySlice<String>,
    _ change: (inout ConfigurationEntries) throws(ConfigurationMistake) -> Void
  ) throws(ConfigurationMistake) {
    guard let key = path.first else { return try change(&self) }
    if values[key] == nil { keys.append(key) }
    try values[key, default: .table(ConfigurationEntries())].changeTable(key) {
      table throws(ConfigurationMistake) in try table.change(path.dropFirst(), change)
    }
  }
}

extension ConfigurationValue {
  fileprivate mutating func append(_ value: ConfigurationValue, _ key: String) throws(ConfigurationMistake) {
    guard case .list(var list) = self else { throw .taken(key) }
    // Overwriting `self` leaves the list with a single owner, so that appending does not copy the list.
    self = .flag(false)
    list.append(value)
    self = .list(list)
  }

  fileprivate mutating func changeTable(
    _ key: String, _ change: (inout ConfigurationEntries) throws(ConfigurationMistake) -> Void
  ) throws(ConfigurationMistake) {
    switch self {
    case .table(var table):
      self = .flag(false)
      defer { self = .table(table) }
      try change(&table)
    case .list(var list) where !list.isEmpty:
      self = .flag(false)
      defer { self = .list(list) }
      try list[list.count - 1].changeTable(key, change)
    default: throw .taken(key)
    }
  }
}

/// A mistake in the content of a configuration file, described in words.
struct ConfigurationMistake: Error {
  var message: String

  init(_ message: String) { self.message = message }

  fileprivate static func taken(_ key: String) -> ConfigurationMistake {
    ConfigurationMistake("\"\(key)\" is set twice; the first counts")
  }
}
