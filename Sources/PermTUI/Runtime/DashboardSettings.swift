import PermModel

/// What a person may set about the screen, in the tables `[dashboard]` and `[keys]` of `config.toml`.
struct DashboardSettings: Sendable {
  var keys = KeyTable()
  /// Whether the terminal is rung when something waits.
  var rings = true
  /// Whether the terminal's title says how much waits.
  var setsTitle = true
  var usesColor = true
  /// What is wrong in the file. The defaults hold in its place.
  var problems: [ConfigurationProblem] = []

  /// What holds without a file.
  init() {}

  /// Reads the settings of the file that an environment names. A file that is not there sets nothing.
  init(_ environment: ProbeEnvironment) {
    let (root, problems) = ConfigurationTable.read(environment.configFile)
    self.problems = problems
    guard var root else { return }
    readScreen(&root)
    readKeys(&root)
  }

  /// Reads the settings in the text of a file.
  init(text: String, file: String) {
    do {
      guard case .table(let values) = try ConfigurationValue.parse(text, file: file) else { return }
      var root = ConfigurationTable(file: file, values: values)
      readScreen(&root)
      readKeys(&root)
    } catch {
      problems = [error]
    }
  }

  private mutating func readScreen(_ root: inout ConfigurationTable) {
    guard var table = root.table("dashboard") else {
      problems += root.problems
      return
    }
    rings = table.flag("bell") ?? rings
    setsTitle = table.flag("title") ?? setsTitle
    usesColor = table.flag("colors") ?? usesColor
    table.reportUnknownKeys()
    problems += table.problems
  }

  private mutating func readKeys(_ root: inout ConfigurationTable) {
    guard var table = root.table("keys") else { return }
    var changes: [Command: [Key]] = [:]
    for command in Command.allCases {
      guard let names = table.texts(command.rawValue) else { continue }
      let unknown = names.filter { Key(name: $0) == nil }
      if unknown.isEmpty {
        changes[command] = names.compactMap { Key(name: $0) }
      } else {
        table.report(
          command.rawValue, "\"\(unknown[0])\" is no key; write x, ^X, F5, PgDn, Space and the like")
      }
    }
    for (command, key, other) in KeyTable(changes: changes).conflicts where changes[command] != nil {
      table.report(command.rawValue, "\(key) already means \"\(other.rawValue)\" in the same place")
      changes[command] = nil
    }
    keys = KeyTable(changes: changes)
    table.reportUnknownKeys()
    problems += table.problems
  }
}
