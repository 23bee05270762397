import Glibc

/// Moments in file names, for example `20261224T180000Z`: in UTC, so that names sort by time.
enum FileStamp {
  static func text(_ moment: Timestamp) -> String {
    var seconds = time_t(moment.seconds)
    var fields = tm()
    gmtime_r(&seconds, &fields)
    var buffer = [CChar](repeating: 0, count: 32)
    let count = strftime(&buffer, buffer.count, "%Y%m%dT%H%M%SZ", &fields)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The moment that a text names; `nil` for any other text.
  static func timestamp(_ text: String) -> Timestamp? {
    let digits = text.utf8.compactMap { (48...57).contains($0) ? Int32($0 - 48) : nil }
    guard digits.count == 14 else { return nil }
    func number(_ places: Range<Int>) -> Int32 { digits[places].reduce(0) { $0 * 10 + $1 } }
    var fields = tm()
    fields.tm_year = number(0..<4) - 1900
    fields.tm_mon = number(4..<6) - 1
    fields.tm_mday = number(6..<8)
    fields.tm_hour = number(8..<10)
    fields.tm_min = number(10..<12)
    fields.tm_sec = number(12..<14)
    let moment = Timestamp(seconds: Int64(timegm(&fields)))
    // Anything that is not written this way, or names no such day, comes out otherwise.
    return FileStamp.text(moment) == text ? moment : nil
  }
}
