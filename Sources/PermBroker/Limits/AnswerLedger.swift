import Machine
import PermModel

/// Writes automatic answers to the store beside the answering, all of a second in one transaction.
final class AnswerLedger: Sendable {
  private struct State {
    var sums = AnswerSums()
    /// Whether a task writes what comes in.
    var isAttended = false
  }

  /// Waits for a while; a test waits in its own way.
  typealias Sleep = @Sendable (Duration) async throws -> Void

  private let state = Lock(State())
  /// Held while it is written, so that whoever writes next finds all of it in the store.
  private let writing = Lock(())
  private let now: @Sendable () -> Timestamp
  private let sleep: Sleep
  private let store: @Sendable ([AutomaticAnswer]) throws -> Void

  private static let pause = Duration.seconds(1)
  /// How long a store is left alone that could not be written.
  private static let pauseAfterFailure = Duration.seconds(10)

  init(
    now: @escaping @Sendable () -> Timestamp, sleep: @escaping Sleep = { try await Task.sleep(for: $0) },
    store: @escaping @Sendable ([AutomaticAnswer]) throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
    self.store = store
  }

  /// Notes an answer, which is in the store a second later at most.
  func note(_ answer: AutomaticAnswer) {
    let isFirst = state.withLock { state in
      state.sums.add(answer, at: now())
      defer { state.isAttended = true }
      return !state.isAttended
    }
    if isFirst { Task.quiet { await self.attend() } }
  }

  /// Writes what was noted until now; `false` if the store cannot be written. What was noted is kept then.
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

  /// Writes at once, and then what comes in each second, until nothing comes any more.
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
