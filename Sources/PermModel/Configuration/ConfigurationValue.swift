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

  package init() {}

  /// Whether a setting was left out of the table or of one inside it. The remaining settings may then mean something
  /// else than their author intended.
  var isDamaged: Bool { hasMistake || values.values.contains(where: \.isDamaged) }

  package subscript(key: String) -> ConfigurationValue? { values[key] }

  /// Adds a value.
  ///
  /// - Returns: `false` if the key already has a value, which is then kept.
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
    // Taking the value out of the dictionary avoids a copy when it changes.
    var value = values.removeValue(forKey: key)
    let isNew = value == nil
    defer {
      if isNew, value != nil { keys.append(key) }
      values[key] = value
    }
    try change(&value)
  }
}
