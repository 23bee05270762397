import CNcurses
import Glibc

/// A writer that sends bytes to the terminal and never waits for it. A terminal that is stopped, for example by ^S, delays
/// the screen and nothing else.
final class TerminalOutput {
  private let terminal: Int32
  /// A descriptor of the terminal that was opened separately, so that its non-blocking mode does not affect the shell.
  private let own: Int32
  private var rest: [UInt8] = []
  /// The bytes that go ahead of the next ones that are sent.
  private var ahead: [UInt8] = []

  init(_ terminal: Int32) {
    self.terminal = terminal
    own = open("/proc/self/fd/\(terminal)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
  }

  deinit { if own >= 0 { close(own) } }

  /// The descriptor that is ready when the terminal accepts more; `nil` if it has accepted everything.
  var heldUp: Int32? { rest.isEmpty ? nil : own }

  /// Sends `bytes` together with the next ones, ahead of them. The terminal then receives a frame with its bell and its
  /// title at once.
  func sendAhead(_ bytes: [UInt8]) { ahead += bytes }

  /// Sends `bytes`, after any that remain from earlier calls. The bytes that the terminal does not accept now remain.
  func send(_ bytes: [UInt8]) {
    add(bytes)
    sendRest()
  }

  /// Sends as many of the remaining bytes as the terminal accepts.
  func sendRest() { flush(waiting: 0) }

  /// Sends `bytes` as the last bytes, after any that remain from earlier calls. Bytes that the
  /// terminal does not accept in time are discarded.
  ///
  /// - Parameter patience: The time to wait for a stopped terminal, in milliseconds.
  func end(_ bytes: [UInt8], patience: Int32) {
    add(bytes)
    flush(waiting: patience)
    rest = []
  }

  private func add(_ bytes: [UInt8]) {
    rest += ahead + bytes
    ahead = []
  }

  private func flush(waiting patience: Int32) {
    var sent = 0
    defer { rest.removeFirst(sent) }
    while sent < rest.count {
      let count = rest.withUnsafeBytes { bytes in
        write(own >= 0 ? own : terminal, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        guard isReady(within: patience) else { return }
      } else if errno != EINTR {
        // The terminal is gone. There is no need to report this, because reading from the terminal reports it.
        sent = rest.count
      }
    }
  }

  /// Waits until the terminal accepts bytes. Returns false if the time is up first.
  private func isReady(within patience: Int32) -> Bool {
    var descriptor = pollfd(fd: own, events: Int16(POLLOUT), revents: 0)
    return poll(&descriptor, 1, patience) > 0
  }
}
