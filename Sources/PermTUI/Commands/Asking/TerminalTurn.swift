import Machine

/// The turn to ask on a terminal, held as long as this object lives. All programs of a pipeline are in the foreground,
/// and a typed word could answer any of them; so they ask one at a time.
final class TerminalTurn {
  private let lock: FileLock

  /// Takes the turn on standard input's terminal; `nil` if another program has it.
  init?() {
    guard let lock = FileLock(terminalOf: StandardStream.input, .alone) else { return nil }
    self.lock = lock
  }

  /// Waits until no other program has the turn; `false` if the task was cancelled first.
  static func waitUntilFree() async -> Bool {
    let (frees, free) = AsyncStream.makeStream(of: Void.self)
    // Only a thread can wait for a file lock. After a cancelled wait, it releases the lock as soon as it gets it.
    BlockingThread.start {
      _ = FileLock(terminalOf: StandardStream.input, .aloneInTurn)
      free.yield()
    }
    for await _ in frees { return true }
    return false
  }
}
