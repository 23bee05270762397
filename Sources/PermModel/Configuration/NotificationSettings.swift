/// The table `[notify]`: a command that tells the person that something waits.
package struct NotificationSettings: Hashable, Sendable {
  /// The command: a program, and its arguments.
  package var command: [String]
  /// The time that a request must have waited, without a key press at any dashboard, before the command is run.
  package var after: Duration

  package init(command: [String], after: Duration = .seconds(5)) {
    self.command = command
    self.after = after
  }
}

extension NotificationSettings {
  private static let longest = 3_600

  /// Reads the table. Returns `nil` if it names no command.
  init?(_ table: inout ConfigurationTable, _ environment: ProbeEnvironment) {
    let command = table.texts("command")
    let after = table.text("after").flatMap { Self.duration($0, &table) }
    guard var command else { return nil }
    guard let program = command.first, !program.isEmpty else {
      table.report("command", "must name a program, for example [\"notify-send\", \"PermTUI\"]")
      return nil
    }
    command[0] = environment.expanded(program) ?? program
    self.init(command: command, after: after ?? .seconds(5))
  }

  /// Reads a time in seconds or minutes. Reports any other text.
  private static func duration(_ text: String, _ table: inout ConfigurationTable) -> Duration? {
    let unit = ["s": 1, "m": 60][String(text.suffix(1))]
    let digits = text.dropLast()
    guard let unit, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
      (1...longest / unit).contains(number)
    else {
      table.report("after", "must be a time from \"1s\" to \"60m\"")
      return nil
    }
    return .seconds(number * unit)
  }
}
