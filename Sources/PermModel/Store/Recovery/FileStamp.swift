import Machine

/// Moments in file names, for example `20261224T180000Z`: in UTC, so that names sort by time.
enum FileStamp {
  static func text(_ moment: Timestamp) -> String {
    let fields = LocalTime(utc: moment)
    return (fields.date + "T" + fields.timeWithSeconds + "Z").filter { $0 != "-" && $0 != ":" }
  }

  /// The moment that a text names; `nil` for any other text.
  static func timestamp(_ text: String) -> Timestamp? {
    let digits = text.utf8.compactMap { (48...57).contains($0) ? Int($0 - 48) : nil }
    guard digits.count == 14 else { return nil }
    func number(_ places: Range<Int>) -> Int { digits[places].reduce(0) { $0 * 10 + $1 } }
    let fields = LocalTime(
      year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(8..<10),
      minute: number(10..<12), second: number(12..<14))
    // Any other way of writing the moment does not survive the round trip.
    return fields.utcTimestamp.flatMap { FileStamp.text($0) == text ? $0 : nil }
  }
}
