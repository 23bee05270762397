import Dispatch
import Machine

/// A limit of patience, after which a person is told what the program waits for.
enum Patience {
  private static let seconds = 2

  /// Does some work. If it takes long, says why.
  static func saying<Result, Problem: Error>(
    _ text: String, to notes: Notes, _ body: () throws(Problem) -> Result
  ) throws(Problem) -> Result {
    let done = DispatchSemaphore(value: 0)
    BlockingThread.start {
      if done.wait(timeout: .now() + .seconds(seconds)) == .timedOut { notes.note(text) }
    }
    defer { done.signal() }
    return try body()
  }
}
