import Machine
import PermModel

/// Formats times for people to read. The conversion to local time is injected, so this type does not depend on the
/// machine's time zone.
struct ClockFormat: Sendable {
  /// Converts a time to its calendar fields in the local time zone.
  let local: @Sendable (Timestamp) -> LocalTime

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the shortest clear form of a time: `14:03` today, `Mon 09:12` within six days, `12 Oct 09:12`
  /// within half a year, otherwise `12 Oct 2025`.
  func short(_ moment: Timestamp, today: DayNumber) -> String {
    let fields = local(moment)
    let day = day(fields, today)
    return day.hasYear ? day.words : words(day, fields.time)
  }

  /// Returns the time including seconds, after the same day as in the short form: `14:03:05`, `Mon 09:12:05`,
  /// `12 Oct 09:12:05`, `12 Oct 2025 09:12:05`.
  func exact(_ moment: Timestamp, today: DayNumber) -> String {
    let fields = local(moment)
    return words(day(fields, today), fields.timeWithSeconds)
  }

  /// Returns a day in words: `Today`, `Yesterday`, `Mon 12 Oct` or, if it is long ago, `12 Oct 2025`.
  func words(for day: DayNumber, today: DayNumber) -> String {
    let days = today.value - day.value
    if (0...1).contains(days) { return days == 0 ? "Today" : "Yesterday" }
    let fields = day.fields
    let date = "\(fields.day) \(Self.months[(fields.month + 11) % 12])"
    return abs(days) <= 180 ? "\(Self.weekdays[day.weekday]) \(date)" : "\(date) \(fields.year)"
  }

  /// Returns the local day of a time.
  func day(of moment: Timestamp) -> DayNumber { local(moment).dayNumber }

  private func words(_ day: Day, _ time: String) -> String {
    day.words.isEmpty ? time : "\(day.words) \(time)"
  }

  /// Returns the shortest clear words for the day of a time. They are empty for today.
  private func day(_ fields: LocalTime, _ today: DayNumber) -> Day {
    let days = fields.dayNumber.value - today.value
    if days == 0 { return Day(words: "") }
    if abs(days) <= 6 { return Day(words: Self.weekdays[fields.dayNumber.weekday]) }
    let date = "\(fields.day) \(Self.months[(fields.month + 11) % 12])"
    return abs(days) <= 180 ? Day(words: date) : Day(words: "\(date) \(fields.year)", hasYear: true)
  }

  /// A day in words, which are empty for today.
  private struct Day {
    let words: String
    var hasYear = false
  }
}

extension LocalTime {
  fileprivate var dayNumber: DayNumber { DayNumber(year: year, month: month, day: day) }
}
