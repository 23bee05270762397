import Machine
import PermModel

/// The settings of the screen, in the tables `[dashboard]` and `[keys]` of `config.toml`.
struct DashboardSettings: Sendable {
  var keys = KeyTable.usual
  /// Whether to ring the terminal's bell when an alert starts to wait for an answer.
  var rings = true
  /// Whether the terminal's title shows how many alerts are waiting.
  var setsTitle = true
  /// Whether the mouse scrolls and selects.
  var usesMouse = true
  var colors = ColorSetting.auto
  var theme = ThemeSetting.auto
  /// The times that decide when an alert appears and whether a key press is accepted as an answer. The model
  /// reads them from the table `[prompt]`.
  var times = PromptTimes()
  /// The mistakes in the file. A setting with a mistake has its default value.
  var problems: [ConfigurationProblem] = []
}

extension DashboardSettings {
  /// Reads the settings from the file that an environment names. If the file is missing, all settings have
  /// their default values.
  init(_ environment: ProbeEnvironment) {
    self.init()
    let (root, problems) = ConfigurationTable.read(environment.configFile)
    self.problems = problems
    guard var root else { return }
    readScreen(&root)
    readKeys(&root)
  }

  /// Reads the settings from the text of a file.
  init(text: String, file: String) {
    self.init()
    let (values, mistakes) = ConfigurationReader.read(text, file: file)
    problems = mistakes
    var root = ConfigurationTable(file: file, values: values)
    readScreen(&root)
    readKeys(&root)
  }

  private mutating func readScreen(_ root: inout ConfigurationTable) {
    guard var table = root.table("dashboard") else {
      problems += root.problems
      return
    }
    for setting in ScreenSetting.allCases { read(setting, of: &table) }
    table.reportUnknownKeys()
    problems += table.problems
  }

  private mutating func read(_ setting: ScreenSetting, of table: inout ConfigurationTable) {
    let key = setting.rawValue
    switch setting {
    case .bell: rings = table.flag(key) ?? rings
    case .title: setsTitle = table.flag(key) ?? setsTitle
    case .mouse: usesMouse = table.flag(key) ?? usesMouse
    case .colors: colors = Self.choice(key, &table) ?? colors
    case .theme: theme = Self.choice(key, &table) ?? theme
    }
  }

  /// Returns the choice that the value of `key` names. Reports a value that names no choice as a mistake.
  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, _ table: inout ConfigurationTable
  ) -> Choice? {
    guard let text = table.text(key) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let words = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    table.report(key, "must be one of \(words)")
    return nil
  }

  private mutating func readKeys(_ root: inout ConfigurationTable) {
    guard var table = root.table("keys") else { return }
    var changes: [Command: [Key]] = [:]
    for command in Command.allCases {
      guard let names = table.texts(command.rawValue) else { continue }
      if let mistake = Self.mistake(in: names, for: command) {
        table.report(command.rawValue, mistake)
      } else {
        changes[command] = names.compactMap { Key(name: $0) }
      }
    }
    for conflict in KeyTable(changes: changes).conflicts where changes[conflict.command] != nil {
      table.report(
        conflict.command.rawValue,
        "\(conflict.key) already means \"\(conflict.other.rawValue)\" in the same place")
      changes[conflict.command] = nil
    }
    keys = KeyTable(changes: changes)
    table.reportUnknownKeys()
    problems += table.problems
  }

  /// Returns the reason why a command cannot have these keys; `nil` if it can.
  private static func mistake(in names: [String], for command: Command) -> String? {
    if command.isFixed { return "always keeps its key" }
    for name in names {
      guard let key = Key(name: name) else {
        return "\"\(name)\" is not a key; write x, ^X, F5, PgDn, Space and the like"
      }
      if command.answers, !key.isDeliberate {
        return "\(key) is pressed too easily to answer; use a letter, a sign or a function key"
      }
    }
    return nil
  }
}

extension DashboardSettings {
  /// The settings that count at once when the file changes. The colours and the mouse count at the next start.
  var preferences: Preferences {
    Preferences(keys: keys, rings: rings, setsTitle: setsTitle, times: times, mistakes: problems.count)
  }
}

/// The settings in the table `[dashboard]`.
enum ScreenSetting: String, CaseIterable, Sendable {
  case bell, title, mouse, colors, theme
}

extension [ConfigurationProblem] {
  /// Returns these problems and those in `more`, without duplicates, because two readers can report the same mistake.
  func joined(with more: [ConfigurationProblem]) -> [ConfigurationProblem] {
    let known = Set(self)
    return self + more.filter { !known.contains($0) }
  }
}

extension Report {
  /// Reports the number of mistakes in the configuration, if there are several, and the first of them; `nil` if there
  /// are none. The file is named without its folder, so that the mistaken key still fits on the line.
  init?(_ problems: [ConfigurationProblem]) {
    guard var first = problems.first else { return nil }
    first.file = first.file.lastPathPart
    let count = problems.count > 1 ? "\(problems.count) mistakes (permtui doctor): " : ""
    self.init(text: "\(count)\(first)", isError: true)
  }
}
