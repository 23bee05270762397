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

/// The keys of a table with their values, in the order in which the file has them.
package struct ConfigurationEntries: Hashable, Sendable {
  package private(set) var keys: [String] = []
  private var values: [String: ConfigurationValue] = [:]
  /// Whether a setting of the table itself was left out because of a mistake.
  var hasMistake = false

  package init() {}

  /// Whether a setting was left out of the table, or of one inside it. What is there may then mean something else than its
  /// author wrote.
  var isDamaged: Bool { hasMistake || values.values.contains(where: \.isDamaged) }

  package subscript(key: String) -> ConfigurationValue? { values[key] }

  /// Adds a value.
  ///
  /// - Returns: `false` if the key has a value already, which then stays.
  mutating func add(_ key: String, _ value: ConfigurationValue) -> Bool {
    guard values[key] == nil else { return false }
    keys.append(key)
    values[key] = value
    return true
  }

  /// Changes the value of a key in place, or adds it.
  mutating func update<Failure: Error>(
    _ key: String, _ change: (inout ConfigurationValue?) throws(Failure) -> Void
  ) throws(Failure) {
    // Taken out of the dictionary, so that the change need not copy it.
    var value = values.removeValue(forKey: key)
    let isNew = value == nil
    defer {
      if isNew, value != nil { keys.append(key) }
      values[key] = value
    }
    try change(&value)
  }
}
