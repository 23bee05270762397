import Machine

/// Lines that operations in tests write, in the order in which they do.
final class Log: Sendable {
  private let state = Lock<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func write(_ line: String) { state.withLock { $0.append(line) } }
}
