import Glibc
import PermModel

/// A moment as the clock on the wall shows it here.
///
/// Comes from the C library and not from Foundation, whose time zones cost more than the whole first frame.
struct LocalTime: Hashable, Sendable {
  var year: Int
  /// 1 to 12.
  var month: Int
  /// 1 to 31.
  var day: Int
  var hour = 0
  var minute = 0
  var second = 0
}

extension LocalTime {
  /// The moment in the time zone of this process (`TZ`, else the system's).
  init(_ timestamp: Timestamp) {
    var seconds = time_t(timestamp.seconds)
    var fields = tm()
    localtime_r(&seconds, &fields)
    self.init(fields)
  }

  /// The moment in UTC.
  init(utc timestamp: Timestamp) {
    var seconds = time_t(timestamp.seconds)
    var fields = tm()
    gmtime_r(&seconds, &fields)
    self.init(fields)
  }

  private init(_ fields: tm) {
    self.init(
      year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
      hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Int(fields.tm_sec))
  }

  /// The moment that these fields name here; `nil` if there is none: the 30th of February, or an hour that the
  /// change to summer time leaves out. Of an hour that comes twice, the C library chooses one.
  var timestamp: Timestamp? { moment(by: mktime) }

  /// The moment that these fields name in UTC; `nil` if there is none.
  var utcTimestamp: Timestamp? { moment(by: timegm) }

  /// The C functions move impossible fields to possible ones, which shows when they are read back.
  private func moment(by convert: (UnsafeMutablePointer<tm>) -> time_t) -> Timestamp? {
    guard (1...9999).contains(year) else { return nil }
    var fields = tm()
    fields.tm_year = Int32(year - 1900)
    fields.tm_mon = Int32(month - 1)
    fields.tm_mday = Int32(day)
    fields.tm_hour = Int32(hour)
    fields.tm_min = Int32(minute)
    fields.tm_sec = Int32(second)
    fields.tm_isdst = -1
    let seconds = convert(&fields)
    return LocalTime(fields) == self ? Timestamp(seconds: Int64(seconds)) : nil
  }

  /// The day, as in `2026-12-24`.
  var date: String { "\(padded(year, 4))-\(padded(month))-\(padded(day))" }
  /// To the minute, as in `18:00`.
  var time: String { "\(padded(hour)):\(padded(minute))" }
  /// To the second, as in `18:00:00`.
  var timeWithSeconds: String { "\(time):\(padded(second))" }

  private func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
