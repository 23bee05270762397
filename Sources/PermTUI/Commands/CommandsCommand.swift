import ArgumentParser
import Machine
import PermBroker
import PermModel

struct CommandsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "commands",
    abstract: "List the command lines that agents asked for in a folder, and keep one.",
    discussion: """
      The most frequent line comes first. The last column says what could be kept for it: the line, a command form such \
      as 'git status …', or the line with holes, in which the words that differ may vary: {file}, {word}, {name}, \
      {number}, {text} and {one|other}. What is written there can be given to --keep, with other holes, too. The exit \
      status is 1 if nothing was asked.

      Examples:
        permtui commands
        permtui commands --in ~/src/app
        permtui commands --keep 'npm test -- {file}' --for session
        permtui commands --json | jq -r '.commands[].line'
      """)

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("The folder of the agent; the current one unless given.", valueName: "folder"),
    completion: .directory)
  var folder: String?

  @Option(
    help: "Only this program: its label, its path, or label@/path.", completion: .custom(Completion.programs))
  var program: String?

  @Option(help: ArgumentHelp("Allow this line, form or line with holes, in this folder.", valueName: "line"))
  var keep: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("How long it is kept, as for 'permtui allow'.", valueName: "lifetime"),
    completion: .list(["forever", "session", "8h"]), transform: LifetimeArgument.parse)
  var lifetime: LifetimeChoice?

  @Flag(help: "Print one JSON document.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if lifetime != nil, keep == nil {
      throw ValidationError("--for says how long --keep holds; add --keep LINE")
    }
    if keep?.isEmpty == true { throw ValidationError("--keep needs a line") }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    guard let place = ProgramFolder(at: folder ?? ".") else {
      throw CommandError("there is no folder \(folder ?? ".")")
    }
    let asked = try asked(in: place, context)
    if let keep { return try self.keep(keep, asked, place, context) }
    if json {
      try context.console.print(["commands": .list(asked.rows.map(\.json)), "folder": .text(place.path)])
    } else if asked.rows.isEmpty {
      context.console.note(
        "No agent asked for a command in \(context.console.visible(HomeFolder.shortened(place.path))).")
    } else {
      try context.console.print(asked.table(context))
    }
    return asked.rows.isEmpty ? .denied : .done
  }

  private func asked(in place: ProgramFolder, _ context: CommandContext) throws -> AskedCommands {
    let name = program.map { ProgramName(typed: $0, in: nil) }
    let newest = JournalPage.newest(CommandsPage.mostEntries)
    let entries = try context.store(.read).journal(CommandsPage.filter, newest).filter { entry in
      guard let subject = entry.subject, subject.folder?.path == place.path else { return false }
      return name.map { $0.matches(subject) } ?? true
    }
    return AskedCommands(entries) { CommandsPage.isFile($0, in: place.path) }
  }

  // MARK: Keeping

  private func keep(
    _ text: String, _ asked: AskedCommands, _ place: ProgramFolder, _ context: CommandContext
  ) throws -> ExitStatus {
    try lifetime?.checkDecidable(now: context.now)
    let typed = try TypedCapabilities(decided: ["commands:run@\(text)"], isWhole: false, in: context)
    let kept = try context.control().decide(
      .allow, try agent(asked), in: place.path, typed.references, for: lifetime, note: nil)
    for decision in kept.decisions {
      let what = context.console.visible(written: decision.atom.scope.text)
      try context.console.print(
        "allowed \(what) for \(context.console.visible(decision.subject.name)) \(decision.lifetime.words)")
    }
    try DecisionOptions.noteRest(of: kept.decisions, in: context)
    return .done
  }

  /// The program for which a line is kept: the one that was named, or the only one that asked.
  private func agent(_ asked: AskedCommands) throws(CommandError) -> String {
    if let program { return program }
    let names = Set(
      asked.rows.map { row in row.subject.path.map { "\(row.subject.label)@\($0)" } ?? row.subject.label })
    guard let name = names.first, names.count == 1 else {
      throw .usage(
        names.isEmpty ? "no agent asked for a command here" : "several agents asked for commands here",
        advice: ["name one: --program LABEL"])
    }
    return name
  }
}

extension AskedCommands {
  fileprivate func table(_ context: CommandContext) -> Table {
    var table = Table(
      "Asked", "Last", "Program", "Line", "Can be kept as",
      fitting: [.shortenEnd("Line"), .shortenEnd("Can be kept as"), .drop("Program"), .drop("Last")])
    for row in rows {
      table.add(
        .init("\(row.count)"), .init(row.lastAt.local), .init(row.subject.label),
        .init(written: Scope.command(row.line).text),
        row.offer == .command(row.line) ? "this line" : .init(written: row.offer.text))
    }
    return table
  }
}

extension AskedCommands.Row {
  fileprivate var json: JSON {
    [
      "asked": .integer(Int64(count)), "last": JSON(lastAt), "line": .text(line), "offer": .text(offer.text),
      "program": JSON(subject),
    ]
  }
}
