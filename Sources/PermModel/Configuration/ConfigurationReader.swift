/// Reads the part of TOML that `docs/configuration.md` describes: tables, lists of tables, and keys with text, whole
/// numbers, true and false, lists and inline tables.
///
/// A mistake affects only its own setting: that setting is left out, and so is everything below a header that cannot be
/// read. The rest counts. No text makes the reader trap, and nesting is bounded.
package struct ConfigurationReader {
  /// The table that a header opened, with the entries read so far.
  private struct Section {
    var path: [String] = []
    /// Whether the table is one of a list: `[[restrict]]`.
    var isListed = false
    /// The line of its header.
    var line = 1
    var entries = ConfigurationEntries()
  }

  private let file: String
  private var scanner: ConfigurationScanner
  private var root = ConfigurationEntries()
  /// The current section; `nil` below a header that cannot be read.
  private var section: Section? = Section()
  private var opened: Set<[String]> = []
  private var problems: [ConfigurationProblem] = []

  /// Reads a file's text.
  ///
  /// - Returns: The settings, and every mistake with its line.
  /// - Complexity: O(*n*), where *n* is the length of the text.
  package static func read(
    _ text: String, file: String
  ) -> (entries: ConfigurationEntries, problems: [ConfigurationProblem]) {
    var reader = ConfigurationReader(file: file, scanner: ConfigurationScanner(text))
    while reader.scanner.moveToNextLine() { reader.readLine() }
    reader.closeSection()
    return (reader.root, reader.problems)
  }

  private init(file: String, scanner: ConfigurationScanner) {
    self.file = file
    self.scanner = scanner
  }

  private mutating func readLine() {
    let line = scanner.line
    let isHeader = scanner.next == UInt8(ascii: "[")
    do throws(ConfigurationMistake) {
      if isHeader {
        try readHeader()
      } else {
        try readSetting()
      }
    } catch {
      if isHeader { section = nil }
      section?.entries.hasMistake = true
      report(error, line)
      // A list that was never closed must not swallow the settings below it.
      scanner.moveBehindLine(line)
    }
  }

  private mutating func readHeader() throws(ConfigurationMistake) {
    closeSection()
    let line = scanner.line
    let (path, isListed) = try scanner.takeHeader()
    if !isListed, !opened.insert(path).inserted {
      throw ConfigurationMistake(
        "[\(path.joined(separator: "."))] is there twice; put all its settings below the first")
    }
    // The tables inside a new table of a list are new ones.
    if isListed { opened = opened.filter { !$0.starts(with: path) } }
    section = Section(path: path, isListed: isListed, line: line)
  }

  private mutating func readSetting() throws(ConfigurationMistake) {
    let path = try scanner.takePath()
    let value = try scanner.takeAssignedValue()
    try scanner.takeLineEnd()
    try section?.entries.insert(value, at: path[...])
  }

  /// Stores the entries below a header in the table that the header names.
  private mutating func closeSection() {
    guard let section else { return }
    self.section = nil
    do throws(ConfigurationMistake) {
      if section.path.isEmpty {
        root = section.entries
      } else if section.isListed {
        try root.append(section.entries, at: section.path[...])
      } else {
        try root.merge(section.entries, at: section.path[...])
      }
    } catch {
      report(error, section.line)
    }
  }

  private mutating func report(_ mistake: ConfigurationMistake, _ line: Int) {
    problems.append(ConfigurationProblem(file: file, place: .line(line), message: mistake.message))
  }
}

/// A mistake in a configuration file's text, in words.
struct ConfigurationMistake: Error {
  var message: String

  init(_ message: String) { self.message = message }

  static func taken(_ key: String) -> ConfigurationMistake {
    ConfigurationMistake("\"\(key)\" is set twice; the first counts")
  }
}

extension ConfigurationEntries {
  /// Inserts a value at the end of a path, and creates missing tables on the way.
  mutating func insert(
    _ value: ConfigurationValue, at path: ArraySlice<String>
  ) throws(ConfigurationMistake) {
    guard let key = path.first else { return }
    guard path.count > 1 else {
      guard add(key, value) else { throw .taken(key) }
      return
    }
    try enter(key) { inner throws(ConfigurationMistake) in try inner.insert(value, at: path.dropFirst()) }
  }

  /// Adds the entries of `[path]`. Its inner tables may have come before it.
  fileprivate mutating func merge(
    _ entries: ConfigurationEntries, at path: ArraySlice<String>
  ) throws(ConfigurationMistake) {
    guard let key = path.first else {
      hasMistake = hasMistake || entries.hasMistake
      for key in entries.keys {
        if let value = entries[key], !add(key, value) { throw .taken(key) }
      }
      return
    }
    try enter(key) { inner throws(ConfigurationMistake) in try inner.merge(entries, at: path.dropFirst()) }
  }

  /// Adds a table to the list at `[[path]]`.
  fileprivate mutating func append(
    _ entries: ConfigurationEntries, at path: ArraySlice<String>
  ) throws(ConfigurationMistake) {
    guard let key = path.first else { return }
    guard path.count == 1 else {
      try enter(key) { inner throws(ConfigurationMistake) in try inner.append(entries, at: path.dropFirst()) }
      return
    }
    try update(key) { value throws(ConfigurationMistake) in
      guard case .list(var list) = value ?? .list([]) else { throw .taken(key) }
      value = nil
      list.append(.table(entries))
      value = .list(list)
    }
  }

  /// Changes the table under a key, or the last one of a list of tables. Creates the table if there is none.
  private mutating func enter(
    _ key: String, _ change: (inout ConfigurationEntries) throws(ConfigurationMistake) -> Void
  ) throws(ConfigurationMistake) {
    try update(key) { value throws(ConfigurationMistake) in
      guard case .list(var list) = value else { return try Self.enterTable(&value, key, change) }
      value = nil
      var last = list.popLast()
      defer {
        if let last { list.append(last) }
        value = .list(list)
      }
      guard last != nil else { throw .taken(key) }
      try Self.enterTable(&last, key, change)
    }
  }

  private static func enterTable(
    _ value: inout ConfigurationValue?, _ key: String,
    _ change: (inout ConfigurationEntries) throws(ConfigurationMistake) -> Void
  ) throws(ConfigurationMistake) {
    guard case .table(var entries) = value ?? .table(ConfigurationEntries()) else { throw .taken(key) }
    value = nil
    defer { value = .table(entries) }
    try change(&entries)
  }
}
