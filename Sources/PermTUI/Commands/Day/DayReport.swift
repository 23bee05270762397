import Machine
import PermModel

/// A day as `permtui log --day` prints it: the counts of each program, and one line for each request.
struct DayReport {
  let day: Day
  let date: String
  let context: CommandContext

  func print() throws(OutputError) {
    let console = context.console
    let programs = day.programs { LocalTime($0).hour }
    let total = programs.reduce(into: Day.Counts()) { $0.add($1.total) }
    try console.print("\(date): \(total.words)")
    if programs.count > 1 {
      for program in programs {
        let name = program.subject.map { console.visible($0.name) } ?? "other programs"
        try console.print("  \(name): \(program.total.words)")
      }
    }
    try console.print("")
    try console.print(table)
  }

  private var table: Table {
    var table = Table(
      "Asked", "What", "How it ended", "By", "Used", "Program",
      fitting: [.shortenEnd("Program"), .shortenEnd("What"), .drop("Program"), .drop("By")])
    for row in day.rows {
      table.add(
        .init(LocalTime(row.at).time), .init(row.what(in: context.catalogue)),
        .init(row.outcome, role(of: row.end)), .init(author(of: row)),
        .init(row.used), .init(row.subject?.name ?? ""))
    }
    return table
  }

  private func role(of end: Day.End) -> Style.Role {
    switch end {
    case .allowed, .allowedByRule: .allowed
    case .denied, .deniedByRule: .denied
    default: .normal
    }
  }

  /// The author of the answer and the time of it; for a rule, the decision that counted.
  private func author(of row: Day.Row) -> String {
    if let decision = row.decision { return decision.atom.valueWords(in: context.catalogue) }
    guard let origin = row.origin else { return row.text ?? "" }
    let time = row.endedAt.map { " at \(LocalTime($0).time)" } ?? ""
    return (origin.isPerson ? "you" : origin.phrase) + time
  }
}

extension Origin {
  /// Whether the person at this machine acted, at whatever screen.
  var isPerson: Bool {
    switch self {
    case .dashboard, .commandLine, .commandLineAlone, .terminal: true
    // The page speaks to the person at this machine.
    case .operator, .rule, .library: false
    }
  }
}

extension Day.Counts {
  mutating func add(_ other: Day.Counts) {
    asked += other.asked
    byRule += other.byRule
    denied += other.denied
    missed += other.missed
  }
}

extension JSON {
  init(_ row: Day.Row, _ catalogue: CapabilityCatalogue) {
    self = [
      "at": JSON(row.at), "by": JSON(row.origin), "capability": JSON(row.capability),
      "count": .integer(Int64(row.count)),
      "decision": JSON(row.decision.map { catalogue.text($0.atom) }),
      "done": .integer(Int64(row.uses.done)), "end": .text(row.end.rawValue),
      "ended_at": JSON(row.endedAt), "failed": .integer(Int64(row.uses.failed)),
      "kept": .boolean(row.isKept), "program": row.subject.map { JSON($0) } ?? .null,
      "text": JSON(row.text), "values": .list(row.values.map { .text(catalogue.text($0)) }),
    ]
  }
}
