import ArgumentParser
import Machine
import PermBroker
import PermModel

struct LogCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show past requests, answers, changes and expiries.",
    discussion: """
      The oldest entry comes first. An entry is shown if it matches all filters.

      With --day, it is a report of one day instead, with one line for each request: when it was asked, how it ended, \
      who or which decision answered, and whether the agent then said that it was done or has failed.

      Examples:
        permtui log --since 24h
        permtui log --since yesterday --until today
        permtui log --program backup --kind answered --kind automatic
        permtui log --day
        permtui log --day yesterday --program claude
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

  @Flag(help: "Instead, report a day, with one line for each request.")
  var day = false

  @Argument(
    help: ArgumentHelp(
      "With --day: today, yesterday or a date such as 2026-12-24; today unless given.", valueName: "date"),
    completion: .list(["today", "yesterday"]), transform: DayArgument.parse)
  var date: DayArgument?

  @Flag(help: "Print one JSON document per line.")
  var json = false

  @OptionGroup var shared: SharedOptions

  /// The number of entries to read in one call. The limit keeps memory use constant, however long the journal is.
  private static let pageSize = 500

  func validate() throws {
    if let number, number < 1 { throw ValidationError("--number must be at least 1") }
    if date != nil, !day { throw ValidationError("a date needs --day") }
    if day, since != nil || until != nil || number != nil || !kind.isEmpty {
      throw ValidationError("--day goes with --program, --capability and --json only")
    }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    let filter = try filter(in: context)
    let control = try context.control(.read)
    if day { return try report(control, filter, in: context) }
    if let number {
      let entries = try control.journal(filter, .newest(number))
      try print(entries.reversed(), in: context)
      return entries.isEmpty ? .denied : .done
    }
    return try read(control, filter) { try print($0, in: context) } ? .done : .denied
  }

  /// Reads the entries that match the filter, page by page, and returns whether there are any.
  private func read(
    _ control: any PermissionControl, _ filter: JournalFilter, _ body: ([JournalEntry]) throws -> Void
  ) throws -> Bool {
    var position: JournalEntry.ID = 0
    var page: [JournalEntry]
    repeat {
      page = try control.journal(filter, .newer(than: position, Self.pageSize))
      // The store's entries are in order. A broker that sends the same ones again would make this endless.
      guard zip([position] + page.map(\.id), page.map(\.id)).allSatisfy(<) else {
        throw CommandError("the broker sends entries of the journal that it was not asked for")
      }
      try body(page)
      position = page.last?.id ?? position
    } while !page.isEmpty
    return position != 0
  }

  private func report(
    _ control: any PermissionControl, _ filter: JournalFilter, in context: CommandContext
  ) throws -> ExitStatus {
    let bounds = (date ?? .ago(0)).bounds(now: context.now)
    var filter = filter
    (filter.since, filter.until) = (bounds.lowerBound, bounds.upperBound)
    var day = Day()
    _ = try read(control, filter) { $0.forEach { day.add($0) } }
    let name = LocalTime(bounds.lowerBound).date
    guard !day.rows.isEmpty else {
      if !json { context.console.note("No program asked on \(name).") }
      return .denied
    }
    if json {
      for row in day.rows { try context.console.print(JSON(row, context.catalogue)) }
    } else {
      try DayReport(day: day, date: name, context: context).print()
    }
    return .done
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
