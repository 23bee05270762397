import Machine

/// Lines written by operations in tests, in order.
final class Log: Sendable {
  private let state = Lock<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func write(_ line: String) { state.withLock { $0.append(line) } }
}
