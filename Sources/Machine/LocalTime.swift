import Glibc

/// A moment as a wall clock shows it, here or in UTC.
///
/// Uses the C library instead of Foundation, whose time zones cost more than the whole first frame.
package struct LocalTime: Hashable, Sendable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
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

  /// The moment in the time zone of this process (`TZ`, else the system's).
  ///
  /// - Parameter seconds: Since 1970-01-01 00:00 UTC.
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

  /// The moment that these fields name here; `nil` if there is none, as on the 30th of February or in the hour that is
  /// skipped when summer time begins. For an hour that occurs twice, the C library chooses one.
  package var seconds: Int64? { moment(by: mktime) }

  /// The moment that these fields name in UTC; `nil` if there is none.
  package var utcSeconds: Int64? { moment(by: timegm) }

  /// The moment that these fields name here, after normalizing impossible fields.
  package var nearestSeconds: Int64 { convert(by: mktime).seconds }

  /// Detects impossible fields by reading them back, because the C functions normalize them.
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

  /// The day, as in `2026-12-24`.
  package var date: String { "\(padded(year, 4))-\(padded(month))-\(padded(day))" }
  /// To the minute, as in `18:00`.
  package var time: String { "\(padded(hour)):\(padded(minute))" }
  /// To the second, as in `18:00:00`.
  package var timeWithSeconds: String { "\(time):\(padded(second))" }

  private func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

/// Days since 1970-01-01 in the Gregorian calendar, also for days before it was introduced.
package struct DayNumber {
  package let value: Int

  package init(_ value: Int) { self.value = value }

  /// Counts in eras of 400 years that begin in March, so that the leap day is the last of its year.
  package init(year: Int, month: Int, day: Int) {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    value = era * 146_097 + dayOfEra - 719_468
  }

  /// The weekday, Monday being 0.
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
