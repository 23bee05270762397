/// A day as a person looks back on it: one row for each request, with what became of it.
///
/// The rows are made from entries of the journal, in their order. Answers that nobody was asked for are one row for each
/// minute and decision, with their values.
package struct Day: Hashable, Sendable {
  /// How a request ended.
  package enum End: String, Hashable, Sendable {
    case waiting, allowed, denied
    case allowedByRule = "allowed by a rule"
    case deniedByRule = "denied by a rule"
    case gaveUp = "gave up"
    case dismissed
    /// The program withdrew it, mostly because it went away.
    case withdrawn
    /// The person answered in the agent's own dialog.
    case inAgent = "answered in the agent"
  }

  /// How often what was allowed was used afterwards, as far as the program said so.
  package struct Uses: Hashable, Sendable {
    package var done = 0
    package var failed = 0
  }

  package struct Row: Hashable, Sendable, Identifiable {
    /// The number of the journal entry that began the row.
    package var id: JournalEntry.ID
    package var subject: Subject?
    package var capability: String?
    /// The values that were asked for; if there are many, the first of them, in order.
    package var values: [Atom]
    /// The time at which it was asked; for a row of many, the first time.
    package var at: Timestamp
    package var endedAt: Timestamp?
    package var end: End
    /// The author of the answer; `nil` for a rule.
    package var origin: Origin?
    package var isKept = false
    /// The note of the person, or the reason of an answer that nobody gave.
    package var text: String?
    /// The decision that gave the answer; `nil` if it had another basis.
    package var decision: Decision.Key?
    package var count = 1
    package var uses = Uses()
  }

  package private(set) var rows: [Row] = []
  private var placeOfRequest: [Request.ID: Int] = [:]
  private var placesOfRules: [Source: [Int]] = [:]

  private struct Source: Hashable {
    var subject: Subject?
    var capability: String?
  }

  /// - Parameter entries: Entries of the journal, the oldest first.
  package init(_ entries: some Sequence<JournalEntry> = []) {
    for entry in entries { add(entry) }
  }

  /// The kinds of entries from which the rows are made.
  package static let kinds: Set<JournalEntry.Kind> = [
    .asked, .answered, .automatic, .dismissed, .withdrawn, .timedOut, .used,
  ]

  /// Adds the next entry of the journal.
  package mutating func add(_ entry: JournalEntry) {
    switch entry.kind {
    case .asked: begin(entry)
    case .automatic where entry.request == nil: addRule(entry)
    case .answered, .automatic, .dismissed, .withdrawn, .timedOut: end(entry)
    case .used: use(entry)
    default: break
    }
  }

  private mutating func begin(_ entry: JournalEntry) {
    guard let request = entry.request else { return }
    // A request whose values mean something else by now is journalled as asked once more.
    if let place = placeOfRequest[request] {
      rows[place].values = entry.atoms.sorted()
    } else {
      placeOfRequest[request] = rows.count
      rows.append(Row(entry, .waiting))
    }
  }

  private mutating func addRule(_ entry: JournalEntry) {
    var row = Row(entry, entry.verdict == .allow ? .allowedByRule : .deniedByRule)
    row.endedAt = entry.lastAt ?? entry.at
    if !entry.values.isEmpty { row.values = entry.values }
    let source = Source(subject: entry.subject, capability: entry.capability)
    placesOfRules[source, default: []].append(rows.count)
    rows.append(row)
  }

  private mutating func end(_ entry: JournalEntry) {
    guard let request = entry.request, let end = End(entry) else { return }
    let place = placeOfRequest[request] ?? rows.count
    if place == rows.count {
      placeOfRequest[request] = place
      rows.append(Row(entry, .waiting))
    }
    rows[place].end = end
    rows[place].endedAt = entry.at
    rows[place].origin = entry.kind == .automatic ? nil : entry.origin
    rows[place].isKept = entry.isKept
    rows[place].text = entry.text
    rows[place].decision = entry.decision
  }

  private mutating func use(_ entry: JournalEntry) {
    let place: Int?
    if let request = entry.request {
      place = placeOfRequest[request]
    } else {
      let places = placesOfRules[Source(subject: entry.subject, capability: entry.capability)] ?? []
      let values = Set(entry.values)
      place = places.suffix(Self.mostSearched).last { rows[$0].values.contains(where: values.contains) }
    }
    guard let place else { return }
    if entry.text == JournalEntry.failed {
      rows[place].uses.failed += entry.count
    } else {
      rows[place].uses.done += entry.count
    }
  }

  /// The number of a program's latest rows among which the one is searched that a use belongs to.
  private static let mostSearched = 64
}

extension Day.Row {
  fileprivate init(_ entry: JournalEntry, _ end: Day.End) {
    self.init(
      id: entry.id, subject: entry.subject, capability: entry.capability, values: entry.atoms.sorted(),
      at: entry.at, end: end, text: end == .waiting ? nil : entry.text, decision: entry.decision,
      count: entry.count)
  }
}

extension Day.End {
  fileprivate init?(_ entry: JournalEntry) {
    switch (entry.kind, entry.verdict) {
    case (.answered, .allow?): self = .allowed
    case (.answered, _): self = .denied
    case (.automatic, .allow?): self = .allowedByRule
    case (.automatic, _): self = .deniedByRule
    case (.dismissed, _): self = .dismissed
    case (.timedOut, _): self = .gaveUp
    case (.withdrawn, _): self = entry.text == RequestEnd.answeredInAgent ? .inAgent : .withdrawn
    default: return nil
    }
  }
}

// MARK: Hours

extension Day {
  /// The numbers of requests of one hour, or of a whole day.
  package struct Counts: Hashable, Sendable {
    /// A person was asked and allowed it, or is still being asked.
    package var asked = 0
    /// Allowed without asking anybody.
    package var byRule = 0
    package var denied = 0
    /// It ended without an answer.
    package var missed = 0

    package init() {}

    package var all: Int { asked + byRule + denied + missed }

    package mutating func add(_ row: Row) {
      switch row.end {
      case .waiting, .allowed, .inAgent: asked += row.count
      case .allowedByRule: byRule += row.count
      case .denied, .deniedByRule: denied += row.count
      case .gaveUp, .dismissed, .withdrawn: missed += row.count
      }
    }
  }

  /// A program's part of the day.
  package struct Program: Hashable, Sendable {
    package var subject: Subject?
    package var total = Counts()
    /// The counts of each of the 24 hours.
    package var hours = [Counts](repeating: Counts(), count: 24)
  }

  /// Returns the programs of the day, the one with the most requests first.
  ///
  /// - Parameter hour: Returns the hour of a time in the local time zone, from 0 to 23.
  package func programs(hour: (Timestamp) -> Int) -> [Program] {
    var places: [Subject?: Int] = [:]
    var programs: [Program] = []
    for row in rows {
      let place = places[row.subject] ?? programs.count
      if place == programs.count {
        places[row.subject] = place
        programs.append(Program(subject: row.subject))
      }
      programs[place].total.add(row)
      programs[place].hours[min(max(0, hour(row.at)), 23)].add(row)
    }
    return programs.enumerated()
      .sorted { ($1.element.total.all, $0.offset) < ($0.element.total.all, $1.offset) }.map(\.element)
  }
}
