import Glibc
import Machine

/// The waiting requests as they were last decoded, with their text in the file.
///
/// A dashboard reads all waiting requests again after each change, and a thousand might wait. Decoding one takes many times
/// as long as comparing its text.
final class DecodedRequests: Sendable {
  private struct Decoded: Sendable {
    let text: String
    let request: Request
  }

  private let known = Lock<[String: Decoded]>([:])

  /// A reading of all waiting requests. At its end, what did not occur in it is forgotten.
  struct Reading {
    private let requests: DecodedRequests?
    private let old: [String: Decoded]
    private var read: [String: Decoded] = [:]

    /// - Parameter requests: If it is `nil`, every request is decoded.
    init(_ requests: DecodedRequests?) {
      self.requests = requests
      old = requests?.known.withLock(\.self) ?? [:]
      read.reserveCapacity(old.count)
    }

    /// Returns a request, and decodes its text only if the last reading did not.
    mutating func request(
      _ id: String, _ text: String, _ decode: (String) throws -> Request
    ) rethrows -> Request {
      if let known = old[id], known.text.hasBytes(of: text) {
        read[id] = known
        return known.request
      }
      let request = try decode(text)
      read[id] = Decoded(text: text, request: request)
      return request
    }

    func end() { requests?.known.withLock { $0 = read } }
  }
}

extension String {
  /// Whether both texts have the same bytes. Equal strings can differ in their bytes, and two paths that do are two files.
  fileprivate func hasBytes(of other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return withCString { one in other.withCString { two in memcmp(one, two, utf8.count) == 0 } }
  }
}
