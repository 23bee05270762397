import Machine

/// The turn to ask on a terminal, held as long as this lives. All programs of a pipeline are in the foreground, and a typed
/// word could answer any of them; so one asks at a time, and the others wait for it.
final class TerminalTurn {
  private let lock: FileLock

  /// Takes the turn on standard input's terminal; `nil` if another program has it.
  init?() {
    guard let lock = FileLock(terminalOf: StandardStream.input, .alone) else { return nil }
    self.lock = lock
  }

  /// Waits until no other program has the turn; `false` if the task was cancelled before.
  static func waitUntilFree() async -> Bool {
    let (frees, free) = AsyncStream.makeStream(of: Void.self)
    // The kernel lets only a thread wait for a lock. One that is no longer wanted releases the lock at once.
    BlockingThread.start {
      _ = FileLock(terminalOf: StandardStream.input, .aloneInTurn)
      free.yield()
    }
    for await _ in frees { return true }
    return false
  }
}
