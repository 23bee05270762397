import Glibc

/// A date and time of day as a wall clock shows them, in local time or in UTC.
///
/// This type uses the C library instead of Foundation, because loading Foundation's time zones takes longer
/// than drawing the whole first frame.
package struct LocalTime: Hashable, Sendable {
  package var year: Int
  /// The month, from 1 to 12.
  package var month: Int
  /// The day of the month, from 1 to 31.
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Creates the local time. The time zone comes from the variable `TZ` or, if `TZ` is not set, from the system.
  ///
  /// - Parameter seconds: The time in seconds since 1970-01-01 00:00 UTC.
  package init(seconds: Int64) { self.init(seconds, by: localtime_r) }

  package init(utcSeconds seconds: Int64) { self.init(seconds, by: gmtime_r) }

  private init(
    _ seconds: Int64,
    by convert: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
  ) {
    var (seconds, fields) = (time_t(seconds), tm())
    _ = convert(&seconds, &fields)
    self.init(fields)
  }

  private init(_ fields: tm) {
    self.init(
      year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
      hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Int(fields.tm_sec))
  }

  /// The time that these fields denote in the local time zone, in seconds since 1970. It is `nil` if there is
  /// no such time, for example on 30 February, or in the hour that is skipped when summer time begins. If the
  /// time occurs twice, the C library chooses one of the two.
  package var seconds: Int64? { moment(by: mktime) }

  /// The time that these fields denote in UTC, in seconds since 1970; `nil` if there is no such time.
  package var utcSeconds: Int64? { moment(by: timegm) }

  /// The time that these fields denote in the local time zone, in seconds since 1970. Impossible fields are normalized
  /// first: 30 February becomes a day in March.
  package var nearestSeconds: Int64 { convert(by: mktime).seconds }

  /// Returns the time that these fields denote; `nil` if they are impossible. The C functions normalize impossible
  /// fields. Fields that differ after the conversion are therefore impossible.
  private func moment(by function: (UnsafeMutablePointer<tm>) -> time_t) -> Int64? {
    guard (1...9999).contains(year) else { return nil }
    let (seconds, fields) = convert(by: function)
    return fields == self ? seconds : nil
  }

  private func convert(
    by function: (UnsafeMutablePointer<tm>) -> time_t
  ) -> (seconds: Int64, fields: LocalTime) {
    var fields = tm()
    fields.tm_year = Int32(year - 1900)
    fields.tm_mon = Int32(month - 1)
    fields.tm_mday = Int32(day)
    fields.tm_hour = Int32(hour)
    fields.tm_min = Int32(minute)
    fields.tm_sec = Int32(second)
    fields.tm_isdst = -1
    let seconds = function(&fields)
    return (Int64(seconds), LocalTime(fields))
  }

  /// The date, for example `2026-12-24`.
  package var date: String { "\(padded(year, 4))-\(padded(month))-\(padded(day))" }
  /// The time of day to the minute, for example `18:00`.
  package var time: String {
    // Lists show many times. The colon follows the nine in ASCII.
    let digits = [hour / 10, hour % 10, 10, minute / 10, minute % 10]
    return String(decoding: digits.map { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
  }
  /// The time of day to the second, for example `18:00:00`.
  package var timeWithSeconds: String { "\(time):\(padded(second))" }

  private func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    let missing = width - digits.utf8.count
    return missing > 0 ? String(repeating: "0", count: missing) + digits : digits
  }
}

/// A day in the Gregorian calendar, stored as the number of days since 1970-01-01. The calendar is also
/// applied to days before its introduction.
package struct DayNumber: Hashable, Sendable {
  package let value: Int

  package init(_ value: Int) { self.value = value }

  /// Creates the number of a date. The calculation uses eras of 400 years, and years that begin in March, so
  /// that a leap day is the last day of its year.
  package init(year: Int, month: Int, day: Int) {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    value = era * 146_097 + dayOfEra - 719_468
  }

  /// The weekday, from 0 for Monday to 6 for Sunday.
  package var weekday: Int {
    // 1970-01-01 was a Thursday.
    ((value + 3) % 7 + 7) % 7
  }

  package var fields: (year: Int, month: Int, day: Int) {
    let shifted = value + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
