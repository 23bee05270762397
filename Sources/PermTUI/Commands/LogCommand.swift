import ArgumentParser
import PermBroker
import PermModel

struct LogCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show past requests, answers, changes and expiries.",
    discussion: """
      The oldest entry comes first. An entry is shown if it matches all filters.

      Examples:
        permtui log --since 24h
        permtui log --since yesterday --until today
        permtui log --program backup --kind answered --kind automatic
        permtui log --json | jq -r .kind
      """)

  @Option(
    help: ArgumentHelp(
      "Only entries since then: an age such as 24h, or a time such as 23:00, today, yesterday or 2026-12-24T18:00.",
      valueName: "when"),
    completion: .list(["24h", "today", "yesterday"]),
    transform: SinceArgument.parse)
  var since: SinceArgument?

  @Option(
    help: ArgumentHelp("Only entries before then.", valueName: "when"), transform: SinceArgument.parse)
  var until: SinceArgument?

  @Option(
    help: ArgumentHelp("Only this program: its label or path.", valueName: "program"),
    completion: .custom(Completion.programs))
  var program: String?

  @Option(
    help: ArgumentHelp("Only this capability.", valueName: "capability"),
    completion: .custom(Completion.capabilities))
  var capability: String?

  @Option(
    help: ArgumentHelp("Only this kind. Can be given several times.", valueName: "kind"),
    completion: .list(JournalEntry.Kind.allCases.map(\.rawValue)))
  var kind: [JournalEntry.Kind] = []

  @Option(
    name: .shortAndLong, help: ArgumentHelp("At most this many entries, the newest ones.", valueName: "count")
  )
  var number: Int?

  @Flag(help: "Print one JSON document per line.")
  var json = false

  @OptionGroup var shared: SharedOptions

  /// The number of entries to read in one call. The limit keeps memory use constant, however long the journal is.
  private static let pageSize = 500

  func validate() throws {
    if let number, number < 1 { throw ValidationError("--number must be at least 1") }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    let filter = try filter(in: context)
    let control = try context.control(.read)
    if let number {
      let entries = try control.journal(filter, .newest(number))
      try print(entries.reversed(), in: context)
      return entries.isEmpty ? .denied : .done
    }
    var position: JournalEntry.ID = 0
    var page: [JournalEntry]
    repeat {
      page = try control.journal(filter, .newer(than: position, Self.pageSize))
      // The store's entries are in order. A broker that sends the same ones again would make this endless.
      guard zip([position] + page.map(\.id), page.map(\.id)).allSatisfy(<) else {
        throw CommandError("the broker sends entries of the journal that it was not asked for")
      }
      try print(page, in: context)
      position = page.last?.id ?? position
    } while !page.isEmpty
    return position == 0 ? .denied : .done
  }

  private func filter(in context: CommandContext) throws -> JournalFilter {
    let named = program.map { ProgramName(typed: $0) }
    let now = context.now
    return JournalFilter(
      label: named?.label, path: named?.path,
      capability: try capability.map { try context.catalogue.parseWhole($0).capability },
      kinds: kind.isEmpty ? nil : Set(kind), since: since?.timestamp(now: now),
      until: until?.timestamp(now: now))
  }

  private func print(_ entries: [JournalEntry], in context: CommandContext) throws(OutputError) {
    guard !json, context.console.width != nil else {
      let lines = entries.map { json ? JSON($0, context.catalogue).description : $0.sentence(in: context) }
      return try context.console.data.write(lines.map { $0 + "\n" }.joined())
    }
    for entry in entries { try context.console.print(wrapping: entry.sentence(in: context), indent: 4) }
  }
}

extension JournalEntry.Kind: ExpressibleByArgument {}
