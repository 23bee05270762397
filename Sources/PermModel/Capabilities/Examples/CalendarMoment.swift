import Foundation
import Machine

/// A point in time as a calendar file writes it: a date, a time of day, and the time zone in which they apply.
struct CalendarMoment: Hashable, Sendable {
  enum Zone: Hashable, Sendable {
    case utc
    /// The local time zone, which is used if the file names no zone.
    case local
    /// A time zone, identified by its name in the time zone database.
    case named(String)
  }

  var year: Int
  var month: Int
  var day: Int
  /// The time of day in seconds since midnight; `nil` if the value stands for a whole day.
  var secondOfDay: Int?
  var zone: Zone

  /// Parses `20261121T140000Z`, `20261121T140000` or `20261121`.
  init?(_ text: some StringProtocol, zone name: String? = nil) {
    let digits = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard digits.count >= range.upperBound else { return nil }
      return Int(String(decoding: digits[range], as: UTF8.self))
    }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    zone = name.map { .named($0) } ?? .local
    guard digits.count > 8 else { return }
    guard digits[8] == UInt8(ascii: "T"), let hour = number(9..<11), let minute = number(11..<13),
      let second = number(13..<15)
    else { return nil }
    secondOfDay = hour * 3600 + minute * 60 + second
    if digits.count > 15, digits[15] == UInt8(ascii: "Z") { zone = .utc }
  }

  /// The corresponding time on the wall clock. For a whole day, it is the midnight at which the day begins.
  var timestamp: Timestamp {
    let asUTC = Int64(dayNumber.value) * 86_400 + Int64(secondOfDay ?? 0)
    switch zone {
    case .utc: return Timestamp(seconds: asUTC)
    case .local: return Timestamp(seconds: localTime.nearestSeconds)
    case .named(let name):
      let zone = TimeZone(identifier: name)
      return Timestamp(seconds: zone?.seconds(ofLocal: asUTC) ?? localTime.nearestSeconds)
    }
  }

  private var localTime: LocalTime {
    let second = secondOfDay ?? 0
    return LocalTime(
      year: year, month: month, day: day, hour: second / 3600, minute: second / 60 % 60, second: second % 60)
  }

  /// Returns the moment that is the given number of days later, at the same time of day.
  func adding(days: Int) -> CalendarMoment {
    var moved = self
    (moved.year, moved.month, moved.day) = DayNumber(dayNumber.value + days).fields
    return moved
  }

  /// Returns the moment that is the given number of months later, on the same day of the month and at the same time of
  /// day; `nil` if that month has no such day.
  func adding(months: Int) -> CalendarMoment? {
    let index = year * 12 + (month - 1) + months
    var moved = self
    (moved.year, moved.month) = (index / 12, index % 12 + 1)
    return DayNumber(moved.dayNumber.value).fields.month == moved.month ? moved : nil
  }

  /// The weekday, from 0 for Monday to 6 for Sunday.
  var weekday: Int { dayNumber.weekday }

  private var dayNumber: DayNumber { DayNumber(year: year, month: month, day: day) }
}

extension TimeZone {
  /// Returns the time at which the zone's clocks show a given local time. Both times are in seconds since 1970.
  ///
  /// If the local time occurs twice, returns its second occurrence. If it is skipped, returns the time at which it
  /// would have occurred without the clock change.
  func seconds(ofLocal local: Int64) -> Int64 {
    func offset(at seconds: Int64) -> Int64 {
      Int64(secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }
    // No zone changes its clocks twice within two days, so there is at most one change between these two offsets.
    let (before, after) = (offset(at: local - 86_400), offset(at: local + 86_400))
    return local - (offset(at: local - after) == after ? after : before)
  }
}

extension CalendarMoment: CustomStringConvertible {
  /// The date and time, for example `2026-11-21 14:00`, followed by the zone's name if it is not the local zone.
  var description: String {
    guard secondOfDay != nil else { return localTime.date }
    let time = "\(localTime.date) \(localTime.time)"
    switch zone {
    case .local: return time
    case .utc: return "\(time) UTC"
    case .named(let name): return "\(time) \(name)"
    }
  }
}
