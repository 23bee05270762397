import Machine

/// The waiting requests as they were last decoded, by their text in the file.
///
/// A dashboard reads all waiting requests again after each change, and a thousand might wait. Decoding one takes many times
/// as long as finding it by its text.
final class DecodedRequests: Sendable {
  private let known = Lock<[String: Request]>([:])

  /// A reading of all waiting requests. At its end, what did not occur in it is forgotten.
  struct Reading {
    private let requests: DecodedRequests?
    private let old: [String: Request]
    private var read: [String: Request] = [:]

    /// - Parameter requests: If it is `nil`, every request is decoded.
    init(_ requests: DecodedRequests?) {
      self.requests = requests
      old = requests?.known.withLock(\.self) ?? [:]
      read.reserveCapacity(old.count)
    }

    /// Returns the request with the given text, and decodes it only if the last reading did not.
    mutating func request(_ text: String, _ decode: (String) throws -> Request) rethrows -> Request {
      let request = try old[text] ?? decode(text)
      read[text] = request
      return request
    }

    func end() { requests?.known.withLock { $0 = read } }
  }
}
