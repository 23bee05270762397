import CNcurses
import Glibc

/// Sends bytes to the terminal without being stuck in it: one that takes nothing, as after ^S, holds up the screen but
/// not the signals.
final class TerminalOutput {
  private let terminal: Int32
  /// The terminal once more, so that not to wait for it is no matter of the shell's.
  private let own: Int32
  private var rest: [UInt8] = []
  private var wasHeldUp = false
  /// Something to read here ends the wait for the terminal.
  var interruption: Int32 = -1

  init(_ terminal: Int32) {
    self.terminal = terminal
    own = open("/proc/self/fd/\(terminal)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
  }

  deinit { if own >= 0 { close(own) } }

  /// Sends what is left of before, and these bytes. What the terminal does not take until the interruption comes is
  /// sent with the next ones.
  func send(_ bytes: [UInt8]) {
    // What was left of before is seen only now.
    if !rest.isEmpty { wasHeldUp = true }
    rest += bytes
    flush(waiting: -1, interruption)
  }

  /// Whether the terminal kept what was sent waiting since this was asked last: what was typed meanwhile was typed at
  /// something else.
  func takeHoldUp() -> Bool {
    defer { wasHeldUp = false }
    return wasHeldUp
  }

  /// Sends what it can for the last time.
  ///
  /// - Parameter patience: how long a terminal that takes nothing is waited for, in milliseconds.
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
        // The terminal is gone; reading says so, too.
        sent = rest.count
      }
    }
  }

  /// Waits until the terminal takes something; false if there is something else to do first.
  private func isReady(within patience: Int32, _ interruption: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: own, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
    ]
    return poll(&descriptors, 2, patience) > 0 && descriptors[1].revents == 0
  }
}
