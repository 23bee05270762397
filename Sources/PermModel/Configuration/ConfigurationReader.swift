/// A parser for the part of TOML that `docs/configuration.md` describes: tables, lists of tables, and keys
/// whose values are strings, integers, booleans, lists or inline tables.
///
/// A mistake affects as little as possible. A setting that cannot be read is left out. If a table header cannot be
/// read, everything up to the next header is left out. The rest of the file takes effect. No input crashes the parser,
/// and the nesting depth is limited.
package struct ConfigurationReader {
  private let file: String
  private var scanner: ConfigurationScanner
  private var root = ConfigurationEntries()
  /// The path of the table that the last header opened; `nil` below a header that cannot be read.
  private var section: [String]? = []
  private var opened: Set<[String]> = []
  private var problems: [ConfigurationProblem] = []

  /// Parses the content of a file.
  ///
  /// - Returns: The settings, and every mistake with its line number.
  /// - Complexity: O(*n*), where *n* is the length of the content.
  package static func read(
    _ text: String, file: String
  ) -> (entries: ConfigurationEntries, problems: [ConfigurationProblem]) {
    var reader = ConfigurationReader(file: file, scanner: ConfigurationScanner(text))
    while reader.scanner.moveToNextLine() { reader.readLine() }
    return (reader.root, reader.problems)
  }

  private init(file: String, scanner: ConfigurationScanner) {
    self.file = file
    self.scanner = scanner
  }

  private mutating func readLine() {
    let start = scanner
    do throws(ConfigurationMistake) {
      if start.next == "[" {
        section = nil
        section = try openedTable()
      } else {
        try readSetting()
      }
    } catch {
      if let section { try? root.change(section[...]) { $0.hasMistake = true } }
      problems.append(ConfigurationProblem(file: file, place: .line(start.line), message: error.message))
      // Only the first line of the faulty setting is skipped, because a list without a closing bracket must
      // not swallow the settings below it.
      scanner = start
      scanner.skipLine()
    }
  }

  /// Reads a header, and returns the path of the table that it opens.
  private mutating func openedTable() throws(ConfigurationMistake) -> [String] {
    let (path, isListed) = try scanner.takeHeader()
    if isListed {
      try root.appendTable(at: path)
      // The new table can contain tables with the same names as the one before it, so those names are forgotten.
      opened = opened.filter { !$0.starts(with: path) }
    } else {
      guard opened.insert(path).inserted else {
        throw ConfigurationMistake(
          "[\(path.joined(separator: "."))] is there twice; put all its settings below the first")
      }
      try root.change(path[...]) { _ in }
    }
    return path
  }

  private mutating func readSetting() throws(ConfigurationMistake) {
    let (path, value) = try scanner.takeSetting()
    try scanner.takeLineEnd()
    if let section { try root.insert(value, at: section + path) }
  }
}
