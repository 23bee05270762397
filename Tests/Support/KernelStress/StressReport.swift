import Machine
import Operations

/// Counts the results of a stress run.
package final class StressReport: Sendable, CustomStringConvertible {
  private struct State: Sendable {
    var faults: [Witness.Fault: Int] = [:]
    var outcomes: [String: Int] = [:]
    /// The number of stopped operations that had begun, and the number of those that had not.
    var stoppedRunning = 0
    var stoppedWaiting = 0
  }

  private let state = Lock(State())

  package init() {}

  package var faults: [Witness.Fault: Int] { state.withLock { $0.faults } }
  package var stoppedRunning: Int { state.withLock { $0.stoppedRunning } }
  package var stoppedWaiting: Int { state.withLock { $0.stoppedWaiting } }

  package func note(_ fault: Witness.Fault, count: Int = 1) {
    guard count > 0 else { return }
    state.withLock { $0.faults[fault, default: 0] += count }
  }

  func count(_ outcome: OperationOutcome) { state.withLock { $0.outcomes[outcome.word, default: 0] += 1 } }

  func countStopped(hadRun: Bool) {
    state.withLock { state in
      if hadRun { state.stoppedRunning += 1 } else { state.stoppedWaiting += 1 }
    }
  }

  package var description: String {
    let state = state.withLock { $0 }
    let outcomes = state.outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let stopped =
      "stopped: \(state.stoppedWaiting) before their work, \(state.stoppedRunning) during or after it"
    let faults = state.faults.map { "FAULT, \($0.value) times: \($0.key.rawValue)" }.sorted()
    return ([outcomes.joined(separator: ", "), stopped] + faults).joined(separator: "\n")
  }
}

extension OperationOutcome {
  fileprivate var word: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .skipped: "skipped"
    }
  }
}
