/// A buffer that splits a stream of bytes into Varlink messages. Each message ends with a NUL byte.
struct MessageBuffer: Sendable {
  /// The maximum length of a message to the broker, in bytes. Most requests have a few hundred bytes; one with several
  /// long values or with details has more.
  static let longestCall = 64 * 1024
  /// The maximum length of a reply, in bytes. Even a list of a thousand requests is many times shorter.
  static let longestReply = 64 * 1024 * 1024

  private let limit: Int
  private var bytes: [UInt8] = []
  /// The number of bytes that have been returned as messages; ``searched`` is the number of bytes that have been
  /// searched for a NUL.
  private var start = 0
  private var searched = 0

  /// - Parameter limit: The maximum length of a message in bytes, without the NUL.
  init(limit: Int) {
    self.limit = limit
  }

  /// The number of bytes in memory, including those that have been returned already.
  var kept: Int { bytes.count }

  /// The number of bytes that have not been returned yet.
  var pending: Int { bytes.count - start }

  mutating func append(_ more: some Sequence<UInt8>) {
    if start > 0, start == bytes.count {
      bytes = []
      (start, searched) = (0, 0)
    } else if start > limit {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Returns the next complete message, without its NUL; `nil` if more bytes must arrive first.
  ///
  /// - Throws: ``WireError/tooLong(limit:)`` as soon as the message is longer than the limit.
  mutating func next() throws(WireError) -> ArraySlice<UInt8>? {
    guard let end = bytes[searched...].firstIndex(of: 0) else {
      searched = bytes.count
      guard pending <= limit else { throw .tooLong(limit: limit) }
      return nil
    }
    guard end - start <= limit else { throw .tooLong(limit: limit) }
    let message = bytes[start..<end]
    start = end + 1
    searched = start
    return message
  }
}

enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLong(limit: Int)
  /// The bytes are not valid Varlink, for the given reason.
  case malformed(String)

  var description: String {
    switch self {
    case .tooLong(let limit): "a message is longer than \(limit) bytes"
    case .malformed(let what): "this is not a Varlink message: \(what)"
    }
  }
}
