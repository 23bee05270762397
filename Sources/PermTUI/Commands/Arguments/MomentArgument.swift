import ArgumentParser
import Machine
import PermModel

/// A date and time as people type it, for example `2026-12-24T18:00`. Seconds are optional. The time is
/// local, unless a final `Z` marks it as UTC.
enum MomentArgument {
  /// Returns the point in time that `text` names; `nil` if `text` does not look like a date and time.
  ///
  /// - Throws: `ValidationError` if `text` lacks a time of day, or names a time that does not exist in the calendar or
  ///   the local time zone.
  static func parse(_ text: String) throws(ValidationError) -> Timestamp? {
    let isUTC = text.last == "Z"
    let parts = (isUTC ? text.dropLast() : text[...])
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.dropFirst().first
    let shape = String(parts[0].map { $0.isASCIIDigit ? "0" : $0 == " " ? "T" : $0 })
    if shape == "0000-00-00", !isUTC, fraction == nil {
      throw ValidationError("say the time of the day as well, as in 2026-12-24T18:00")
    }
    let isToTheMinute = shape == "0000-00-00T00:00" && fraction == nil
    guard isToTheMinute || shape == "0000-00-00T00:00:00", let microseconds = microseconds(fraction) else {
      return nil
    }
    let numbers = parts[0].split { !$0.isASCIIDigit }.compactMap { Int($0) }
    let local = LocalTime(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
      second: isToTheMinute ? 0 : numbers[5])
    guard let moment = isUTC ? local.utcTimestamp : local.timestamp else {
      throw ValidationError("there is no such moment\(isUTC ? "" : " in the local time zone")")
    }
    return Timestamp(microseconds: moment.microseconds + microseconds)
  }

  private static func microseconds(_ fraction: Substring?) -> Int64? {
    guard let fraction else { return 0 }
    guard (1...9).contains(fraction.count), fraction.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int64((fraction + "000000").prefix(6))
  }

  /// Formats a point in time as commands print it for other programs: in UTC, to the microsecond, and in a form that
  /// ``parse(_:)`` accepts.
  static func format(_ moment: Timestamp) -> String {
    let fields = LocalTime(utc: moment)
    // Multiplying the seconds would overflow for the first moment of all.
    let remainder = moment.microseconds % 1_000_000
    let microseconds = remainder < 0 ? remainder + 1_000_000 : remainder
    // Adding a million and then dropping the first digit keeps the leading zeros.
    let fraction = String(1_000_000 + microseconds).dropFirst()
    return "\(fields.date)T\(fields.timeWithSeconds).\(fraction)Z"
  }
}

/// A point in time as typed after `--since` or `--until`: an age, such as `24h`, a time of the day, a day, or a date and
/// time.
enum SinceArgument: Hashable, Sendable {
  case ago(Duration)
  case moment(Timestamp)
  /// The last time that clocks showed this time.
  case clock(hour: Int, minute: Int)
  /// The beginning of a day: today, or this many days earlier.
  case day(Int)

  private static let days = ["today": 0, "yesterday": 1]

  /// - Throws: A `ValidationError` that says what is wrong with `text`.
  static func parse(_ text: String) throws(ValidationError) -> SinceArgument {
    if let duration = try DurationArgument.parse(text) { return .ago(duration) }
    if let days = days[text] { return .day(days) }
    if let clock = clock(text) { return clock }
    if let moment = try MomentArgument.parse(text) { return .moment(moment) }
    throw ValidationError(
      "say how long ago, as in 24h, or when, as in 23:00, today, yesterday or 2026-12-24T18:00")
  }

  private static func clock(_ text: String) -> SinceArgument? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      parts.joined().allSatisfy(\.isASCIIDigit), let hour = Int(parts[0]), let minute = Int(parts[1]),
      hour < 24, minute < 60
    else { return nil }
    return .clock(hour: hour, minute: minute)
  }

  func timestamp(now: Timestamp) -> Timestamp {
    switch self {
    case .ago(let duration): now + (.zero - duration)
    case .moment(let moment): moment
    case .day(let days): Self.moment(now, daysAgo: days)
    case .clock(let hour, let minute): Self.last(hour, minute, before: now)
    }
  }

  private static func last(_ hour: Int, _ minute: Int, before now: Timestamp) -> Timestamp {
    let today = moment(now, daysAgo: 0, hour, minute)
    return today <= now ? today : moment(now, daysAgo: 1, hour, minute)
  }

  private static func moment(
    _ now: Timestamp, daysAgo days: Int, _ hour: Int = 0, _ minute: Int = 0
  ) -> Timestamp {
    var local = LocalTime(now)
    (local.day, local.hour, local.minute, local.second) = (local.day - days, hour, minute, 0)
    return Timestamp(seconds: local.nearestSeconds)
  }
}
