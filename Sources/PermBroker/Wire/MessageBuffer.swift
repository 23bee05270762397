/// Cuts a stream of bytes into Varlink messages: each ends with a NUL byte.
package struct MessageBuffer: Sendable {
  /// What a message to the broker may have: one request is a few hundred bytes.
  package static let longestCall = 16 * 1024
  /// What a reply may have: a list of a thousand requests fits many times.
  package static let longestReply = 64 * 1024 * 1024

  private let limit: Int
  private var bytes: [UInt8] = []
  /// How far the bytes have been given out, and how far they have been looked through.
  private var start = 0
  private var searched = 0

  /// - Parameter limit: Bytes that a message may have, without the NUL.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Bytes that are held, those given out included.
  var kept: Int { bytes.count }

  /// Bytes of a message that has not ended yet.
  package var pending: Int { bytes.count - start }

  package mutating func append(_ more: some Sequence<UInt8>) {
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

  /// The next whole message, without its NUL; `nil` until more bytes come.
  ///
  /// - Throws: ``WireError/tooLong(limit:)`` as soon as a message is known to be too long.
  package mutating func next() throws(WireError) -> ArraySlice<UInt8>? {
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

/// What is wrong with a message.
package enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLong(limit: Int)
  /// The bytes are not what Varlink wants: what is wrong, in words.
  case malformed(String)

  package var description: String {
    switch self {
    case .tooLong(let limit): "a message is longer than \(limit) bytes"
    case .malformed(let what): "this is no Varlink message: \(what)"
    }
  }
}
