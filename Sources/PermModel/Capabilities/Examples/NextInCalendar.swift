/// Finds the next item in the calendars.
struct NextInCalendar {
  let kind: CalendarItem.Kind
  let environment: ProbeEnvironment

  /// Describes the next item.
  func words(now: Timestamp) throws -> String {
    let noun = kind == .event ? "event" : "reminder"
    let files = FileSystem()
    let folders = CalendarFolders(environment)
    var next: (moment: CalendarMoment, title: String)?
    var undated = 0
    for file in folders.calendars().flatMap(folders.calendarFiles(in:)) {
      try Task.checkCancellation()
      for item in CalendarFile(files.text(of: file, limit: 16 << 20) ?? "").items where item.kind == kind {
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

extension Capability.Calendar: ExemplaryCapability {
  package var example: CapabilityExample? {
    let kind: CalendarItem.Kind = requirement.parts == [.reminders] ? .reminder : .event
    return CapabilityExample(kind == .event ? "Find the next event" : "Find the next reminder") {
      try NextInCalendar(kind: kind, environment: $0).words(now: .now)
    }
  }
}
