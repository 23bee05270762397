import CNcurses
import Glibc

/// A writer that sends bytes to the terminal without getting stuck. A terminal that is stopped, for example
/// by ^S, delays the screen, but signals are still handled.
final class TerminalOutput {
  private let terminal: Int32
  /// A descriptor of the terminal that was opened separately, so that its non-blocking mode does not affect the shell.
  private let own: Int32
  private var rest: [UInt8] = []
  /// The bytes that go ahead of the next ones that are sent.
  private var ahead: [UInt8] = []
  private var wasHeldUp = false
  /// A descriptor whose input ends any wait for the terminal; -1 if there is none.
  var interruption: Int32 = -1

  init(_ terminal: Int32) {
    self.terminal = terminal
    own = open("/proc/self/fd/\(terminal)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
  }

  deinit { if own >= 0 { close(own) } }

  /// Sends `bytes` together with the next ones, ahead of them. The terminal then receives a frame with its bell and its
  /// title at once.
  func sendAhead(_ bytes: [UInt8]) { ahead += bytes }

  /// Sends `bytes`, after any bytes that remain from earlier calls. If an interruption comes before the
  /// terminal has accepted all bytes, the next call sends the rest.
  func send(_ bytes: [UInt8]) {
    // The bytes that remain from earlier calls become visible only now, so their frame was held up.
    if !rest.isEmpty { wasHeldUp = true }
    add(bytes)
    flush(waiting: -1, interruption)
  }

  /// Returns whether the terminal has delayed any output since the last call. If so, keys typed in the
  /// meantime were a response to an older screen.
  func takeHoldUp() -> Bool {
    defer { wasHeldUp = false }
    return wasHeldUp
  }

  /// Sends `bytes` as the last bytes, after any that remain from earlier calls. Bytes that the
  /// terminal does not accept in time are discarded.
  ///
  /// - Parameter patience: The time to wait for a stopped terminal, in milliseconds.
  func end(_ bytes: [UInt8], patience: Int32) {
    add(bytes)
    flush(waiting: patience, -1)
    rest = []
  }

  private func add(_ bytes: [UInt8]) {
    rest += ahead + bytes
    ahead = []
  }

  private func flush(waiting patience: Int32, _ interruption: Int32) {
    var sent = 0
    defer { rest.removeFirst(sent) }
    while sent < rest.count {
      let count = rest.withUnsafeBytes { bytes in
        write(own >= 0 ? own : terminal, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        wasHeldUp = true
        guard isReady(within: patience, interruption) else { return }
      } else if errno != EINTR {
        // The terminal is gone. There is no need to report this, because reading from the terminal reports it.
        sent = rest.count
      }
    }
  }

  /// Waits until the terminal accepts bytes. Returns false if an interruption comes first, or if the time is up.
  private func isReady(within patience: Int32, _ interruption: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: own, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
    ]
    return poll(&descriptors, 2, patience) > 0 && descriptors[1].revents == 0
  }
}
