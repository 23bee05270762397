/// A line that a Deno process sent.
enum DenoLine: Hashable, Sendable {
  case whole([UInt8])
  /// A line that is longer than any question needs to be; only its beginning is kept.
  case tooLong(beginning: [UInt8])
}

/// A buffer that splits a stream of bytes into lines. However long a line is, the buffer keeps a limited part of it.
struct DenoLineBuffer: Sendable {
  /// The maximum length of a line, in bytes.
  static let longest = 64 * 1024
  /// The length of the part that is kept of a longer line. It contains the number of the question.
  private static let beginning = 512

  private var bytes: [UInt8] = []
  /// The number of bytes that have been searched for the end of the line.
  private var searched = 0
  /// The beginning of a line that is too long and has not ended yet.
  private var long: [UInt8]?

  /// The number of bytes in memory.
  var kept: Int { bytes.count + (long?.count ?? 0) }

  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Returns the next line without its end; `nil` if more bytes must arrive first.
  mutating func next() -> DenoLine? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      if bytes.count > Self.longest || long != nil { skip(bytes.count) }
      return nil
    }
    if end > Self.longest || long != nil {
      skip(end)
      bytes.removeFirst()
      defer { long = nil }
      return .tooLong(beginning: long ?? [])
    }
    let line = Array(bytes[..<end])
    bytes.removeFirst(end + 1)
    searched = 0
    return .whole(line)
  }

  /// Drops bytes of a line that is too long, and keeps the beginning of the line.
  private mutating func skip(_ count: Int) {
    if long == nil { long = Array(bytes.prefix(min(count, Self.beginning))) }
    bytes.removeFirst(count)
    searched = 0
  }
}
