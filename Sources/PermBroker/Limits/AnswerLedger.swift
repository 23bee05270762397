import Machine
import PermModel

/// Writes automatic answers to the store without delaying replies: all answers of a second in one transaction.
final class AnswerLedger: Sendable {
  private struct State {
    var sums = AnswerSums()
    /// Whether a task is writing the noted answers.
    var isAttended = false
  }

  /// Sleeps for a duration; tests use their own clock.
  typealias Sleep = @Sendable (Duration) async throws -> Void

  private let state = Lock(State())
  /// Held during a write, so that a caller of ``write()`` finds all earlier answers in the store when it returns.
  private let writing = Lock(())
  private let now: @Sendable () -> Timestamp
  private let sleep: Sleep
  private let store: @Sendable ([AutomaticAnswer]) throws -> Void

  private static let pause = Duration.seconds(1)
  /// The time before the next attempt after a write has failed.
  private static let pauseAfterFailure = Duration.seconds(10)

  init(
    now: @escaping @Sendable () -> Timestamp, sleep: @escaping Sleep = { try await Task.sleep(for: $0) },
    store: @escaping @Sendable ([AutomaticAnswer]) throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
    self.store = store
  }

  /// Notes an answer, which is written within a second if the store can be written.
  func note(_ answer: AutomaticAnswer) {
    let isFirst = state.withLock { state in
      state.sums.add(answer, at: now())
      defer { state.isAttended = true }
      return !state.isAttended
    }
    if isFirst { Task.quiet { await self.attend() } }
  }

  /// Writes the answers noted so far. Returns `false` if the store cannot be written; the answers are kept in that
  /// case.
  @discardableResult
  func write() -> Bool {
    writing.withLock { _ in
      let answers = state.withLock { $0.sums.take() }
      guard !answers.isEmpty else { return true }
      do {
        try store(answers)
        return true
      } catch {
        state.withLock { $0.sums.putBack(answers) }
        return false
      }
    }
  }

  /// Writes at once, and then every second until no more answers come.
  private func attend() async {
    repeat {
      let isWritten = write()
      try? await sleep(isWritten ? Self.pause : Self.pauseAfterFailure)
    } while goesOn()
  }

  private func goesOn() -> Bool {
    state.withLock { state in
      state.isAttended = !state.sums.isEmpty
      return state.isAttended
    }
  }
}
