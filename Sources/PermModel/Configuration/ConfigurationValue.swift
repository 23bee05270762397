/// A value of a configuration file.
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

/// A table's keys and values, in the order of the file.
package struct ConfigurationEntries: Hashable, Sendable {
  package private(set) var keys: [String] = []
  private var values: [String: ConfigurationValue] = [:]
  /// Whether a setting of the table itself was left out because of a mistake.
  var hasMistake = false

  /// Whether a setting was left out of the table or of one inside it. The remaining settings may then mean something
  /// else than their author intended.
  var isDamaged: Bool { hasMistake || values.values.contains(where: \.isDamaged) }

  package subscript(key: String) -> ConfigurationValue? { values[key] }
}

// MARK: Reading them

extension ConfigurationEntries {
  /// Inserts a value at the end of a path, and creates missing tables on the way.
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

  /// Changes the table at the end of a path, and creates missing tables on the way. A list of tables stands for its
  /// last one.
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
    // With only one owner, the list is changed in place.
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

/// A mistake in a configuration file's text, in words.
struct ConfigurationMistake: Error {
  var message: String

  init(_ message: String) { self.message = message }

  fileprivate static func taken(_ key: String) -> ConfigurationMistake {
    ConfigurationMistake("\"\(key)\" is set twice; the first counts")
  }
}
