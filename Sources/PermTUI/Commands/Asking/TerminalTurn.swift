import Dispatch
import Glibc

/// The turn to ask on a terminal, held as long as this lives. All programs of a pipeline are in the foreground, and a typed
/// word could answer any of them; so one asks at a time, and the others wait for it.
final class TerminalTurn {
  private let descriptor: Int32

  /// Takes the turn on standard input's terminal; `nil` if another program has it.
  init?() {
    descriptor = Self.openTerminal()
    // Where there is nothing to lock, nobody else has a lock.
    if flock(descriptor, LOCK_EX | LOCK_NB) < 0, errno == EWOULDBLOCK { return nil }
  }

  deinit { close(descriptor) }

  /// Waits until no other program has the turn; `false` if the task was cancelled before.
  static func waitUntilFree() async -> Bool {
    let (frees, free) = AsyncStream.makeStream(of: Void.self)
    // The kernel lets only a thread wait for a lock. One that is not wanted any more gives the lock back at once.
    DispatchQueue(label: "turn").async {
      let descriptor = openTerminal()
      while flock(descriptor, LOCK_EX) < 0, errno == EINTR {}
      close(descriptor)
      free.yield()
    }
    for await _ in frees { return true }
    return false
  }

  private static func openTerminal() -> Int32 {
    ttyname(STDIN_FILENO).map { open($0, O_RDONLY | O_NOCTTY | O_CLOEXEC) } ?? -1
  }
}
