import ArgumentParser
import Machine
import PermModel

/// A day as people type it: `today`, `yesterday` or a date such as `2026-12-24`.
enum DayArgument: Hashable, Sendable {
  case ago(Int)
  case date(year: Int, month: Int, day: Int)

  /// - Throws: A `ValidationError` that says what is wrong with `text`.
  static func parse(_ text: String) throws(ValidationError) -> DayArgument {
    if let ago = ["today": 0, "yesterday": 1][text] { return .ago(ago) }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw ValidationError("a day is today, yesterday or a date such as 2026-12-24") }
    let numbers = parts.compactMap { Int($0) }
    let noon = LocalTime(year: numbers[0], month: numbers[1], day: numbers[2], hour: 12)
    guard noon.utcSeconds != nil else { throw ValidationError("there is no such day") }
    return .date(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// Returns the beginning of the day and that of the next one, in the local time zone.
  func bounds(now: Timestamp) -> Range<Timestamp> {
    let today = LocalTime(now)
    return switch self {
    case .ago(let days): today.bounds(daysAgo: days)
    case .date(let year, let month, let day): LocalTime(year: year, month: month, day: day).bounds(daysAgo: 0)
    }
  }
}
