/// An item's repetition: the parts of an `RRULE` that calendars commonly use.
struct Recurrence: Hashable, Sendable {
  enum Frequency: String, Sendable {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  var frequency: Frequency
  var interval = 1
  var count: Int?
  var until: CalendarMoment?
  /// The weekdays of a weekly item, Monday being 0; empty for the day of its start.
  var weekdays: [Int] = []

  /// Reads `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR`; returns `nil` for rules with unknown parts.
  init?(_ text: String) {
    var parts: [String: String] = [:]
    for part in text.split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { parts[pair[0].uppercased()] = String(pair[1]) }
    }
    guard let frequency = parts["FREQ"].flatMap(Frequency.init) else { return nil }
    let known: Set = ["FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST"]
    let days = parts["BYDAY"]?.split(separator: ",").map { Self.weekdayNames.firstIndex(of: String($0)) }
    guard Set(parts.keys).subtracting(known).subtracting(frequency == .weekly ? ["BYDAY"] : []).isEmpty,
      days?.contains(nil) != true
    else { return nil }
    self.frequency = frequency
    interval = max(1, parts["INTERVAL"].flatMap { Int($0) } ?? 1)
    count = parts["COUNT"].flatMap { Int($0) }
    until = parts["UNTIL"].flatMap { CalendarMoment($0) }
    weekdays = (days ?? []).compactMap { $0 }.sorted()
  }

  private static let weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
  /// The number of days in a hundred years: the limit for a daily item.
  private static let limit = 36_600

  /// Returns the moments in order, from the start on. The sequence is finite.
  func moments(from start: CalendarMoment) -> some Sequence<CalendarMoment> {
    let end = until.map { moment -> Timestamp in
      // A last day without a time includes all of that day.
      moment.secondOfDay == nil ? moment.timestamp + .seconds(86_399) : moment.timestamp
    }
    return (0..<Self.limit).lazy.flatMap { round(start, $0) }
      .filter { $0.timestamp >= start.timestamp }
      .prefix(count ?? .max).prefix { moment in end.map { moment.timestamp <= $0 } ?? true }
  }

  /// Returns the moments of one day, week, month or year; none if the month has no such day.
  private func round(_ start: CalendarMoment, _ index: Int) -> [CalendarMoment] {
    let step = index * interval
    switch frequency {
    case .daily: return [start.adding(days: step)]
    case .weekly:
      guard !weekdays.isEmpty else { return [start.adding(days: step * 7)] }
      return weekdays.map { start.adding(days: step * 7 + $0 - start.weekday) }
    case .monthly: return [start.adding(months: step)].compactMap { $0 }
    case .yearly: return [start.adding(months: step * 12)].compactMap { $0 }
    }
  }
}
