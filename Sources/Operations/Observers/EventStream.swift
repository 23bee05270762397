/// Hands an operation's events on to an asynchronous sequence.
struct EventStream: OperationObserver {
  let continuation: AsyncStream<OperationEvent>.Continuation

  func observe(_ event: OperationEvent, of operation: OperationReference) {
    continuation.yield(event)
    if case .ended = event { continuation.finish() }
  }

  /// Yields what has happened already; the steps, and what happened between them. With an outcome, that is all.
  func replay(_ history: EventHistory, _ asides: [EventMailbox.Aside], outcome: OperationOutcome?) {
    var asides = asides[...]
    for (number, step) in history.steps.enumerated() {
      while let aside = asides.first, aside.step <= number {
        continuation.yield(aside.event)
        asides.removeFirst()
      }
      if let event = step.event(outcome: outcome) { continuation.yield(event) }
    }
    for aside in asides { continuation.yield(aside.event) }
    if outcome != nil { continuation.finish() }
  }
}
