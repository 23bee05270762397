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

  private func words(_ atom: Atom) -> String { atom.valueWords(in: context.catalogue) }

  private var table: Table {
    var table = Table(
      "Asked", "What", "How it ended", "By", "Used", "Program",
      fitting: [.shortenEnd("Program"), .shortenEnd("What"), .drop("Program"), .drop("By")])
    for row in day.rows {
      table.add(
        .init(LocalTime(row.at).time), .init(row.what(words)),
        .init(row.outcome, row.role),
        .init(row.author(words) { LocalTime($0).time }),
        .init(row.used), .init(row.subject?.name ?? ""))
    }
    return table
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
