extension Capability.Calendar: CapabilityWithExample {
  package var example: CapabilityExample? {
    let kind: CalendarItem.Kind = requirement.parts == [.reminders] ? .reminder : .event
    return CapabilityExample(kind == .event ? "Find the next event" : "Find the next reminder") {
      try Self.next(kind, in: .calendars($0), from: .now)
    }
  }

  private static func next(
    _ kind: CalendarItem.Kind, in calendars: PersonalCollections, from now: Timestamp
  ) throws -> String {
    let noun = kind == .event ? "event" : "reminder"
    var next: (moment: CalendarMoment, title: String)?
    var undated = 0
    for text in calendars.folders().lazy.flatMap({ calendars.texts(in: $0, limit: 16 << 20) }) {
      try Task.checkCancellation()
      for item in CalendarFile(text).items where item.kind == kind {
        if item.start == nil, !item.isOver { undated += 1 }
        guard let moment = item.next(from: now) else { continue }
        if next.map({ moment.timestamp < $0.moment.timestamp }) ?? true { next = (moment, item.title) }
      }
    }
    let rest = undated == 0 ? "" : "; \(undated.grouped) without a date"
    guard let next else { return "No \(noun) lies ahead\(rest)." }
    return "The next \(noun): \(next.moment), \(next.title)\(rest)."
  }
}
