import ArgumentParser
import PermModel

struct DoctorCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check this installation, and say how to fix problems.",
    discussion: """
      Checking changes nothing. The exit status is 2 if there is a problem, otherwise 0. A damaged store is never \
      overwritten: --repair moves it aside under a dated name, and --restore puts the newest backup in its place.

      Examples:
        permtui doctor
        permtui doctor --repair && permtui doctor --restore
      """)

  @Flag(help: "Move a damaged store aside.")
  var repair = false

  @Flag(help: "Restore the newest backup; the present store is moved aside.")
  var restore = false

  @Flag(help: "Print one JSON document.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard [repair, restore, json].count(where: \.self) <= 1 else {
      throw ValidationError("use one of --repair, --restore and --json")
    }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    let path = try context.storePath()
    if repair { return try StoreRepair(path: path, context: context).moveAside() }
    if restore { return try StoreRepair(path: path, context: context).restore() }
    let findings = InstallationCheckup(path: path, context: context).findings
    if json {
      try context.console.print(["findings": .list(findings.map { JSON($0) })] as JSON)
    } else {
      for finding in findings { try context.console.print(finding) }
      context.console.note(
        """

        permtui answers programs that ask. It stops those that 'permtui run' has started; to others, "denied" is a reply.
        A hostile program that runs as you outside of walls can read files unasked, edit the store, or replace permtui.
        """)
    }
    return findings.contains { $0.level == .problem } ? .failed : .done
  }
}

extension Console {
  func print(_ finding: StoreCheckup.Finding) throws(OutputError) {
    let level = finding.level.rawValue
    let indent = StoreCheckup.Finding.Level.widest + 2
    let padding = String(repeating: " ", count: indent - level.count)
    try print("\(colors.colored(level, as: finding.level.role))\(padding)\(column(finding.what, indent))")
    if let advice = finding.advice {
      try print(String(repeating: " ", count: indent) + column(advice, indent))
    }
  }

  /// Returns a text, escaped and broken after blanks, as a column that begins after an indent.
  private func column(_ text: String, _ indent: Int) -> String {
    broken(visible(text), to: width.map { $0 - indent })
      .replacing("\n", with: "\n" + String(repeating: " ", count: indent))
  }
}

extension StoreCheckup.Finding.Level {
  fileprivate static let widest = Self.problem.rawValue.count

  fileprivate var role: Style.Role {
    switch self {
    case .ok: .allowed
    case .notYet: .muted
    case .warning: .attention
    case .problem: .denied
    }
  }
}

extension JSON {
  fileprivate init(_ finding: StoreCheckup.Finding) {
    self = [
      "advice": JSON(finding.advice), "level": .text(finding.level.rawValue), "what": .text(finding.what),
    ]
  }
}
