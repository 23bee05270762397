import Glibc
import Operations

/// A terminal, or a pair of pipes, that lines are written to and read from.
final class LineTerminal: Sendable {
  enum Input: Hashable {
    case line(String)
    case ended
    case cancelled
    /// The terminal is another job's, and this process is not stopped for reading all the same.
    case inBackground
  }

  private let input: Int32
  private let output: Int32
  private let isOwned: Bool
  /// What was read behind the last line.
  private let rest = Lock<[UInt8]>([])

  /// A line longer than this is no answer.
  private static let limit = 4096

  /// Two descriptors that somebody else keeps open.
  init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
    isOwned = false
  }

  /// Opens a terminal; `nil` if there is none.
  init?(path: String) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    input = descriptor
    output = descriptor
    isOwned = true
  }

  deinit { if isOwned { close(input) } }

  /// Throws away what was typed before now.
  func drainInput() {
    guard isatty(input) == 1 else { return }
    tcflush(input, TCIFLUSH)
    rest.withLock { $0 = [] }
  }

  func write(_ lines: some Sequence<String>) {
    var bytes = ArraySlice(lines.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// The next line, without its end. Blocks a thread of its own, and no other.
  func readLine() async -> Input {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return .ended }
    let (stop, stopper) = (ends[0], ends[1])
    defer {
      close(stop)
      close(stopper)
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasBegun = startThread { continuation.resume(returning: self.blockForLine(stop)) }
        if !hasBegun { continuation.resume(returning: .ended) }
      }
    } onCancel: {
      var byte: UInt8 = 0
      _ = Glibc.write(stopper, &byte, 1)
    }
  }

  private func blockForLine(_ stop: Int32) -> Input {
    var chunk = [UInt8](repeating: 0, count: 512)
    while true {
      if let line = takeLine() { return .line(line) }
      let readable = waitUntilReadable([input, stop])
      if readable.contains(stop) { return .cancelled }
      let count = read(input, &chunk, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      if count < 0, errno == EIO { return .inBackground }
      guard count > 0 else { return .ended }
      let isTooLong = rest.withLock { rest in
        rest += chunk[..<count]
        return rest.count > Self.limit && !rest.contains(UInt8(ascii: "\n"))
      }
      if isTooLong { return .ended }
    }
  }

  private func takeLine() -> String? {
    rest.withLock { rest in
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { rest.removeFirst(end + 1) }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
  }
}
