import CLinux
import Glibc
import Machine

/// A terminal or a pair of pipes, for writing and reading lines.
final class LineTerminal: LineDevice {
  private let input: Int32
  private let output: Int32
  private let isOwned: Bool
  /// The bytes that have been read, but not yet returned as part of a line.
  private struct Rest {
    var bytes: [UInt8] = []
    /// Whether the arrival of these bytes has been reported.
    var isTold = true
  }

  private let rest = Lock(Rest())

  /// The maximum length of an unfinished line, in bytes. A longer line is treated as the end of the input.
  private static let limit = 4096

  /// Uses two file descriptors, which the caller must keep open. This terminal never closes them.
  init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
    isOwned = false
  }

  init?(path: String) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    input = descriptor
    output = descriptor
    isOwned = true
  }

  deinit { if isOwned { close(input) } }

  var now: Int64 { SystemClock.monotonic.milliseconds }

  func drainInput() {
    guard isatty(input) == 1 else { return }
    tcflush(input, TCIFLUSH)
    rest.withLock { $0 = Rest() }
  }

  func write(_ lines: [String]) {
    let breaker = LineBreaker(width: width)
    let text = lines.flatMap(breaker.lines).joined(separator: "\n")
    WholeWrite.write(Array((text + "\n").utf8), to: output)
  }

  /// The number of columns; `nil` if the output is no terminal, or a terminal that does not know its width.
  private var width: Int? {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return nil }
    return Int(window.ws_col)
  }

  /// Waits on a dedicated thread, so that no other thread is blocked.
  func next(until deadline: Int64?) async -> LineInput {
    guard let (stop, stopper) = UnixSockets.pair() else { return .ended }
    defer {
      close(stop)
      close(stopper)
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasBegun = BlockingThread.start {
          continuation.resume(returning: self.block(stop, until: deadline))
        }
        if !hasBegun { continuation.resume(returning: .ended) }
      }
    } onCancel: {
      var byte: UInt8 = 0
      _ = Glibc.write(stopper, &byte, 1)
    }
  }

  private func block(_ stop: Int32, until deadline: Int64?) -> LineInput {
    if let input = takeRest() { return input }
    let timeout = deadline.map { Int32(clamping: max(0, $0 - now)) } ?? -1
    return waitForInput(or: stop, timeout: timeout) ?? takeIn()
  }

  /// Waits until there is input to read, and then returns `nil`. If another event ends the wait, returns that event.
  ///
  /// Uses `epoll_wait` because, unlike `poll`, it is interrupted when the process is stopped and continued.
  private func waitForInput(or stop: Int32, timeout: Int32) -> LineInput? {
    let set = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard set >= 0 else { return .ended }
    defer { close(set) }
    for descriptor in [input, stop] {
      var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(fd: descriptor))
      guard epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) == 0 else { return .ended }
    }
    var events = [epoll_event](repeating: epoll_event(), count: 2)
    let count = epoll_wait(set, &events, Int32(events.count), timeout)
    if count < 0 { return errno == EINTR ? .continued : .ended }
    if count == 0 { return .timeUp }
    return events[..<Int(count)].contains { $0.data.fd == stop } ? .cancelled : nil
  }

  private func takeIn() -> LineInput {
    var chunk = [UInt8](repeating: 0, count: 512)
    let count = read(input, &chunk, chunk.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return .part }
    if count < 0, errno == EIO { return .inBackground }
    guard count > 0 else { return .ended }
    let isTooLong = rest.withLock { rest in
      rest.bytes += chunk[..<count]
      rest.isTold = false
      return rest.bytes.count > Self.limit && !rest.bytes.contains(UInt8(ascii: "\n"))
    }
    return isTooLong ? .ended : takeRest() ?? .part
  }

  /// Returns the next complete line that has been read. If there is only part of a line, reports it once as
  /// ``LineInput/part``, and afterwards returns `nil`.
  private func takeRest() -> LineInput? {
    rest.withLock { rest in
      if let end = rest.bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.bytes.removeFirst(end + 1) }
        return .line(String(decoding: rest.bytes[..<end], as: UTF8.self))
      }
      defer { rest.isTold = true }
      return rest.isTold || rest.bytes.isEmpty ? nil : .part
    }
  }
}
