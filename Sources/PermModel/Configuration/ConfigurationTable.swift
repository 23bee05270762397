/// One table of a configuration file that is being read. A method that reads a key returns the value, or records a
/// mistake if the value has the wrong type.
package struct ConfigurationTable {
  let file: String
  /// The keys that lead to this table.
  let path: [String]
  let values: ConfigurationEntries
  package private(set) var problems: [ConfigurationProblem] = []
  private var taken: Set<String> = []

  package init(file: String, path: [String] = [], values: ConfigurationEntries) {
    self.file = file
    self.path = path
    self.values = values
  }

  /// Reads a file. If the file is missing or cannot be read, returns neither a table nor a problem.
  package static func read(_ file: String) -> (root: ConfigurationTable?, problems: [ConfigurationProblem]) {
    let files = FileSystem()
    guard files.entry(at: file) != nil, let text = files.text(of: file) else { return (nil, []) }
    let (values, problems) = ConfigurationReader.read(text, file: file)
    return (ConfigurationTable(file: file, values: values), problems)
  }

  package mutating func report(_ key: String? = nil, _ message: String) {
    let place = (path + [key].compactMap { $0 }).joined(separator: ".")
    problems.append(ConfigurationProblem(file: file, place: .key(place), message: message))
  }

  mutating func report(_ more: [ConfigurationProblem]) { problems += more }

  /// Returns the string for a key; `nil` if the key is missing. If the value is not a string, reports a mistake and
  /// returns `nil`.
  package mutating func text(_ key: String) -> String? {
    take(key, "must be text in quotes") { if case .text(let text) = $0 { text } else { nil } }
  }

  /// Returns the list of strings for a key. A single string is treated as a list with one element.
  package mutating func texts(_ key: String) -> [String]? {
    take(key, "must be a list of texts, for example [\"a\", \"b\"]") { value in
      if case .text(let text) = value { return [text] }
      guard case .list(let list) = value else { return nil }
      let texts = list.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return texts.count == list.count ? texts : nil
    }
  }

  package mutating func flag(_ key: String) -> Bool? {
    take(key, "must be true or false") { if case .flag(let flag) = $0 { flag } else { nil } }
  }

  mutating func number(_ key: String, in range: ClosedRange<Int>) -> Int? {
    take(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)") {
      if case .integer(let number) = $0, range.contains(number) { number } else { nil }
    }
  }

  /// Returns the absolute form of a path that is part of a key's value. If the path depends on the working
  /// directory, reports a problem and returns `nil`.
  mutating func path(_ key: String, _ text: String, in environment: ProbeEnvironment) -> String? {
    let path = environment.expanded(text)
    if path == nil { report(key, "must be a path that begins with / or ~/") }
    return path
  }

  package mutating func table(_ key: String) -> ConfigurationTable? {
    let found: ConfigurationEntries? = take(
      key, "must be a table: [\((path + [key]).joined(separator: "."))]"
    ) {
      if case .table(let values) = $0 { values } else { nil }
    }
    return found.map { ConfigurationTable(file: file, path: path + [key], values: $0) }
  }

  /// Reads the table for a key, if there is one, and reports all mistakes in that table.
  mutating func read(_ key: String, _ read: (inout ConfigurationTable) -> Void) {
    guard var table = table(key) else { return }
    read(&table)
    table.reportUnknownKeys()
    report(table.problems)
  }

  /// Returns the list of tables for a key, such as the tables below `[[restrict]]` headers.
  mutating func tables(_ key: String) -> [ConfigurationTable]? {
    let found: [ConfigurationEntries]? = take(key, "must be a list of tables: [[\(key)]]") { value in
      guard case .list(let list) = value else { return nil }
      let tables = list.compactMap { if case .table(let values) = $0 { values } else { nil } }
      return tables.count == list.count ? tables : nil
    }
    return found?.enumerated().map { index, values in
      ConfigurationTable(file: file, path: path + ["\(key)[\(index)]"], values: values)
    }
  }

  /// Reports each key that was not read, and suggests the key that was probably meant.
  package mutating func reportUnknownKeys() {
    for key in values.keys where !taken.contains(key) {
      let meant = key.nearest(in: taken.sorted()).map { "; did you mean \"\($0)\"?" } ?? ""
      report(key, "is not a known key\(meant)")
    }
  }

  private mutating func take<Taken>(
    _ key: String, _ expected: String, _ convert: (ConfigurationValue) -> Taken?
  ) -> Taken? {
    taken.insert(key)
    guard let value = values[key] else { return nil }
    guard let converted = convert(value) else {
      report(key, expected)
      return nil
    }
    return converted
  }
}
