import Machine

/// Follows one operation's steps and keeps the deadline for the current one set.
final class DeadlineWatch: OperationObserver {
  private let deadlines: Deadlines
  private let timer: DeadlineTimer
  private let current = Lock<DeadlineHeap<DeadlineTimer.Alarm>.ID?>(nil)

  init(_ deadlines: Deadlines, _ timer: DeadlineTimer) {
    self.deadlines = deadlines
    self.timer = timer
  }

  func observe(_ event: OperationEvent, of operation: OperationReference) {
    switch event {
    case .added: set(.dependencies, for: operation)
    case .remedyStarted: if !current.withLock({ $0 != nil }) { set(.human, for: operation) }
    case .waitingForExclusion: set(.exclusion, for: operation)
    case .executing: set(.execution, for: operation)
    case .dependenciesEnded, .evaluatingConditions, .remediesEnded, .waitingForTurn, .ended: drop()
    case .produced, .cancelRequested: break
    }
  }

  private func set(_ kind: Deadlines.Kind, for operation: OperationReference) {
    drop()
    guard let limit = deadlines[kind] else { return }
    let id = timer.set(DeadlineTimer.Alarm(record: operation.record, kind: kind, limit: limit), after: limit)
    current.withLock { $0 = id }
  }

  private func drop() {
    if let id = current.withLock({ $0.take() }) { timer.drop(id) }
  }
}
