import Machine

/// A book of automatic answers, which writes them to a store without delaying replies. All answers given within one
/// second are written in one transaction.
package final class AutomaticAnswerBook: Sendable {
  private struct State {
    var sums = AnswerSums()
    /// Whether a task is writing the noted answers.
    var isAttended = false
    /// Whether the last write failed.
    var isStuck = false
    /// Whether the sums must be written before another answer is added. If that fails, no answer waits for it again.
    var mustBeWritten: Bool { sums.isFull && !isStuck }
  }

  package typealias Sleep = @Sendable (Duration) async throws -> Void

  private let store: any PermissionStore
  private let sleep: Sleep
  private let state = Lock(State())
  /// A lock held during a write. It ensures that all earlier answers are in the store when ``write()`` returns.
  private let writing = Lock(())
  private let processEnd = Lock<ProcessEnd.Registration?>(nil)

  private static let pause = Duration.seconds(1)
  /// The time before the next attempt after a write has failed.
  private static let pauseAfterFailure = Duration.seconds(10)

  /// - Parameter sleep: Sleeps for a duration. Tests replace this closure to use their own clock.
  package init(
    _ store: any PermissionStore, sleep: @escaping Sleep = { try await QuietClock.sleep(for: $0) }
  ) {
    self.store = store
    self.sleep = sleep
    let registration = ProcessEnd.register { [weak self] in _ = self?.write() }
    processEnd.withLock { $0 = registration }
  }

  deinit { write() }

  /// Records an answer within about a second, if the store can be written to. An answer that binds an allow to the
  /// program that used it is recorded before this method returns. Otherwise another program could use the same allow
  /// in the meantime.
  package func record(_ answer: AutomaticAnswer) throws(StoreError) {
    guard answer.bindsAllow else { return note(answer) }
    try put([answer])
  }

  /// Notes an answer, to be written within about a second if the store can be written to.
  package func note(_ answer: AutomaticAnswer) {
    // If the sums are full, they are written first, so that answers cannot fill the memory.
    if state.withLock({ $0.mustBeWritten }) { write() }
    let now = store.environment.now().wall
    let isFirst = state.withLock { state in
      state.sums.add(answer, at: now)
      defer { state.isAttended = true }
      return !state.isAttended
    }
    if isFirst { attend() }
  }

  /// Writes the answers noted so far. If the store cannot be written to, keeps the answers and returns `false`.
  @discardableResult
  package func write() -> Bool {
    writing.withLock { _ in
      let answers = state.withLock { $0.sums.take() }
      guard !answers.isEmpty else { return true }
      do {
        try put(answers)
        state.withLock { $0.isStuck = false }
        return true
      } catch {
        state.withLock { state in
          state.sums.putBack(answers)
          state.isStuck = true
        }
        return false
      }
    }
  }

  private func put(_ answers: [AutomaticAnswer]) throws(StoreError) {
    // If the store is read-only, the answers are not recorded, but the programs still receive them.
    guard store.readOnlyReason == nil else { return }
    try store.record(answers)
  }

  /// Writes the noted answers immediately, and then every second until no new answers arrive. The book can be released
  /// in between, and then writes the rest itself.
  private func attend() {
    Task.quiet { [weak self, sleep] in
      repeat {
        guard let isWritten = self?.write() else { return }
        try? await sleep(isWritten ? Self.pause : Self.pauseAfterFailure)
      } while self?.goesOn() ?? false
    }
  }

  private func goesOn() -> Bool {
    state.withLock { state in
      state.isAttended = !state.sums.isEmpty
      return state.isAttended
    }
  }
}

extension AutomaticAnswer {
  fileprivate var bindsAllow: Bool { decisions.contains { $0.subject.isUnbound && $0.verdict == .allow } }
}
