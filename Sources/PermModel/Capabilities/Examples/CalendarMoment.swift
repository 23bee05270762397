import Glibc

/// A moment as a calendar file writes it: the fields of a clock, and the clock's zone.
struct CalendarMoment: Hashable, Sendable {
  enum Zone: Hashable, Sendable {
    case utc
    /// The reader's zone, wherever that is.
    case local
    /// A zone by its name in the time zone database.
    case named(String)
  }

  var year: Int
  var month: Int
  var day: Int
  /// Seconds since midnight; `nil` for a whole day.
  var secondOfDay: Int?
  var zone: Zone

  /// Reads `20261121T140000Z`, `20261121T140000` or `20261121`.
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

  /// The moment on the wall clock; a whole day counts from its midnight.
  var timestamp: Timestamp {
    let asUTC = Int64(DayNumber(year: year, month: month, day: day).value) * 86_400 + Int64(secondOfDay ?? 0)
    switch zone {
    case .utc: return Timestamp(seconds: asUTC)
    case .local: return Timestamp(seconds: localSeconds)
    case .named(let name):
      guard let rules = TimeZoneRules(named: name) else { return Timestamp(seconds: localSeconds) }
      return Timestamp(seconds: rules.seconds(ofLocal: asUTC))
    }
  }

  private var localSeconds: Int64 {
    var fields = tm()
    fields.tm_year = Int32(year - 1900)
    fields.tm_mon = Int32(month - 1)
    fields.tm_mday = Int32(day)
    fields.tm_sec = Int32(secondOfDay ?? 0)
    fields.tm_isdst = -1
    return Int64(mktime(&fields))
  }

  /// Returns the same time of day some days later.
  func adding(days: Int) -> CalendarMoment {
    let number = DayNumber(DayNumber(year: year, month: month, day: day).value + days)
    return at(number)
  }

  /// Returns the same day and time some months later; `nil` if that month has no such day.
  func adding(months: Int) -> CalendarMoment? {
    let index = year * 12 + (month - 1) + months
    var moved = self
    (moved.year, moved.month) = (index / 12, index % 12 + 1)
    let back = DayNumber(DayNumber(year: moved.year, month: moved.month, day: day).value).fields
    return back.month == moved.month ? moved : nil
  }

  private func at(_ number: DayNumber) -> CalendarMoment {
    var moved = self
    (moved.year, moved.month, moved.day) = number.fields
    return moved
  }

  /// The weekday, Monday being 0.
  var weekday: Int {
    let number = DayNumber(year: year, month: month, day: day).value
    return ((number + 3) % 7 + 7) % 7
  }
}

extension CalendarMoment: CustomStringConvertible {
  /// For example `2026-11-21 14:00`, with the zone's name if it is not the reader's own.
  var description: String {
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(year)-\(padded(month))-\(padded(day))"
    guard let second = secondOfDay else { return date }
    let time = "\(date) \(padded(second / 3600)):\(padded(second / 60 % 60))"
    switch zone {
    case .local: return time
    case .utc: return "\(time) UTC"
    case .named(let name): return "\(time) \(name)"
    }
  }
}

/// Days since 1970-01-01 in the Gregorian calendar, even before its introduction.
struct DayNumber {
  let value: Int

  init(_ value: Int) { self.value = value }

  /// Counts in eras of 400 years that begin in March, so that the leap day is the last of its year.
  init(year: Int, month: Int, day: Int) {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    value = era * 146_097 + dayOfEra - 719_468
  }

  var fields: (year: Int, month: Int, day: Int) {
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
