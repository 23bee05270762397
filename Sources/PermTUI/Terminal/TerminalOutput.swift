import CNcurses
import Glibc

/// Sends bytes to the terminal without getting stuck: a stopped terminal, as after ^S, holds up the screen but not the
/// signals.
final class TerminalOutput {
  private let terminal: Int32
  /// A second descriptor of the terminal, so that making it non-blocking does not affect the shell.
  private let own: Int32
  private var rest: [UInt8] = []
  private var wasHeldUp = false
  /// Input on this descriptor ends the wait for the terminal.
  var interruption: Int32 = -1

  init(_ terminal: Int32) {
    self.terminal = terminal
    own = open("/proc/self/fd/\(terminal)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
  }

  deinit { if own >= 0 { close(own) } }

  /// Sends the remaining earlier bytes, and these. Bytes that the terminal has not taken before the interruption are
  /// sent with the next ones.
  func send(_ bytes: [UInt8]) {
    // The remaining bytes become visible only now.
    if !rest.isEmpty { wasHeldUp = true }
    rest += bytes
    flush(waiting: -1, interruption)
  }

  /// Whether the terminal has delayed any output since the last call. If so, keys typed meanwhile were typed at an
  /// older screen.
  func takeHoldUp() -> Bool {
    defer { wasHeldUp = false }
    return wasHeldUp
  }

  /// Sends as much as possible for the last time.
  ///
  /// - Parameter patience: The time to wait for a stopped terminal, in milliseconds.
  func end(_ bytes: [UInt8], patience: Int32) {
    rest += bytes
    flush(waiting: patience, -1)
    rest = []
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
        // The terminal is gone; reading reports it, too.
        sent = rest.count
      }
    }
  }

  /// Waits until the terminal takes bytes; returns false if an interruption comes first.
  private func isReady(within patience: Int32, _ interruption: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: own, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
    ]
    return poll(&descriptors, 2, patience) > 0 && descriptors[1].revents == 0
  }
}
