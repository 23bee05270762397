import Machine
package import Operations

/// Observes one operation's work, and compares it with the operation's reported outcome.
package final class Witness: Sendable {
  /// A fault that must never occur.
  package enum Fault: String, Sendable, CaseIterable {
    case ranAfterItsEnd = "work began after the operation had ended"
    case endedWhileRunning = "an operation ended while its work ran"
    case ranAndWasCancelled = "an operation whose work returned was cancelled"
    case succeededWithoutRunning = "an operation succeeded and its work never ran"
    case twoHolders = "two operations held one category"
  }

  private enum Work: Sendable { case notBegun, running, returned, threw }

  private struct State: Sendable {
    var work = Work.notBegun
    var hasEnded = false
  }

  private let state = Lock(State())
  private let report: StressReport

  package init(_ report: StressReport) { self.report = report }

  /// Whether its work has ever begun.
  package var hasRun: Bool { state.withLock { $0.work } != .notBegun }

  /// Runs the work.
  package func watch(_ work: () async throws -> Void) async throws {
    begins()
    do {
      try await work()
      state.withLock { $0.work = .returned }
    } catch {
      state.withLock { $0.work = .threw }
      throw error
    }
  }

  private func begins() {
    let isLate = state.withLock { state in
      state.work = .running
      return state.hasEnded
    }
    if isLate { report.note(.ranAfterItsEnd) }
  }

  /// Waits for the outcome, and compares it with the state of the work.
  @discardableResult
  package func end(of handle: OperationHandle<Void>) async -> OperationOutcome {
    let outcome = await handle.outcome
    ended(outcome)
    report.count(outcome)
    return outcome
  }

  private func ended(_ outcome: OperationOutcome) {
    let work = state.withLock { state in
      state.hasEnded = true
      return state.work
    }
    switch (work, outcome) {
    case (.running, _): report.note(.endedWhileRunning)
    case (.returned, .cancelled): report.note(.ranAndWasCancelled)
    case (.notBegun, .succeeded): report.note(.succeededWithoutRunning)
    default: break
    }
  }
}
