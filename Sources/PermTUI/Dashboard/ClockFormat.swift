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
  func short(_ moment: Timestamp, now: Timestamp) -> String {
    let fields = local(moment)
    let today = local(now)
    let days = fields.dayNumber.value - today.dayNumber.value
    if days == 0 { return fields.time }
    if abs(days) <= 6 { return "\(Self.weekdays[fields.dayNumber.weekday]) \(fields.time)" }
    if abs(days) <= 180 { return "\(day(fields)) \(fields.time)" }
    return "\(day(fields)) \(fields.year)"
  }

  /// Returns the time including seconds, preceded by the date if it is not today: `14:03:05`, `12 Oct 14:03:05`.
  func exact(_ moment: Timestamp, now: Timestamp) -> String {
    let fields = local(moment)
    let isToday = fields.dayNumber.value == local(now).dayNumber.value
    return isToday ? fields.timeWithSeconds : "\(day(fields)) \(fields.timeWithSeconds)"
  }

  private func day(_ fields: LocalTime) -> String { "\(fields.day) \(Self.months[(fields.month + 11) % 12])" }
}

extension LocalTime {
  fileprivate var dayNumber: DayNumber { DayNumber(year: year, month: month, day: day) }
}
