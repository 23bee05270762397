/// The rule by which a calendar item repeats. It supports the parts of `RRULE` that calendars commonly use.
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
  /// The weekdays on which a weekly item occurs, from 0 for Monday to 6 for Sunday. Empty if the item occurs
  /// on the weekday of its start.
  var weekdays: [Int] = []

  /// Parses a rule such as `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR`. Returns `nil` if the rule has unsupported parts.
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
  /// The maximum number of days, weeks, months or years to examine. For a daily item, it amounts to a hundred years.
  private static let limit = 36_600

  /// Returns the times of all occurrences at or after `start`, in order. The sequence is finite.
  func moments(from start: CalendarMoment) -> some Sequence<CalendarMoment> {
    let end = until.map { moment -> Timestamp in
      // If the rule's end is a date without a time of day, that whole day is included.
      moment.secondOfDay == nil ? moment.timestamp + .seconds(86_399) : moment.timestamp
    }
    return (0..<Self.limit).lazy.flatMap { round(start, $0) }
      .filter { $0.timestamp >= start.timestamp }
      .prefix(count ?? .max).prefix { moment in end.map { moment.timestamp <= $0 } ?? true }
  }

  /// Returns the occurrences in the day, week, month or year with this index; none if the month has no such day.
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
