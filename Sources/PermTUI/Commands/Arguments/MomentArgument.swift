import ArgumentParser
import Machine
import PermModel

/// A moment as people type it: `2026-12-24T18:00`, optionally with seconds, in local time; a final `Z` means UTC.
enum MomentArgument {
  private static let form = "2026-12-24T18:00"

  /// Returns the moment that `text` names; `nil` if it does not look like one.
  ///
  /// - Throws: `ValidationError` if the time of day is missing, or if there is no such moment.
  static func parse(_ text: String) throws(ValidationError) -> Timestamp? {
    guard let fields = Fields(text) else { return nil }
    guard let time = fields.time else {
      throw ValidationError("say the time of the day as well, as in \(form)")
    }
    let local = LocalTime(
      year: fields.date[0], month: fields.date[1], day: fields.date[2], hour: time[0], minute: time[1],
      second: time.count > 2 ? time[2] : 0)
    guard let moment = fields.isUTC ? local.utcTimestamp : local.timestamp else {
      throw ValidationError("there is no such moment\(fields.isUTC ? "" : " in the local time zone")")
    }
    return Timestamp(microseconds: moment.microseconds + fields.microseconds)
  }

  /// Returns the moment as this command line writes it for programs: in UTC, to the microsecond, in a form that it can
  /// read back.
  static func format(_ moment: Timestamp) -> String {
    let fields = LocalTime(utc: moment)
    let microseconds = moment.microseconds - moment.seconds * 1_000_000
    let digits = String(microseconds)
    let fraction = String(repeating: "0", count: 6 - digits.utf8.count) + digits
    return "\(fields.date)T\(fields.timeWithSeconds).\(fraction)Z"
  }

  /// The numbers of a date and, if given, a time; only their form has been checked.
  private struct Fields {
    var date: [Int]
    var time: [Int]?
    var fraction: Substring = ""
    var isUTC = false

    init?(_ text: String) {
      var parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }[...]
      guard let date = parts.popFirst().flatMap({ Self.numbers($0, separator: "-", widths: [4, 2, 2]) })
      else { return nil }
      self.date = date
      guard var clock = parts.popFirst() else { return }
      if clock.last == "Z" {
        isUTC = true
        clock.removeLast()
      }
      if let dot = clock.firstIndex(of: ".") {
        fraction = clock[dot...].dropFirst()
        guard (1...9).contains(fraction.count), fraction.allSatisfy(\.isASCIIDigit) else { return nil }
        clock = clock[..<dot]
      }
      let widths = fraction.isEmpty && clock.count == 5 ? [2, 2] : [2, 2, 2]
      guard let time = Self.numbers(clock, separator: ":", widths: widths) else { return nil }
      self.time = time
    }

    var microseconds: Int64 {
      Int64((fraction + "000000").prefix(6)) ?? 0
    }

    private static func numbers(_ text: Substring, separator: Character, widths: [Int]) -> [Int]? {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.map(\.count) == widths, parts.joined().allSatisfy(\.isASCIIDigit) else { return nil }
      return parts.compactMap { Int($0) }
    }
  }
}
