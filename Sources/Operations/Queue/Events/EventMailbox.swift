import Machine

/// Delivers an operation's events to its observers one at a time, in the order in which they were posted.
///
/// Posting may happen while a queue's lock is held; delivering happens outside of it, on the first thread that gets to
/// it.
final class EventMailbox: Sendable {
  /// An event that is not a step of an operation's history.
  struct Aside: Sendable {
    let step: Int
    let event: OperationEvent
  }

  private struct Subscriber: Sendable {
    let observer: any OperationObserver
    /// The number of events posted before it subscribed; it learned of those in another way.
    let since: Int
  }

  private struct State: Sendable {
    var subscribers: [Subscriber] = []
    var pending: [OperationEvent] = []
    var asides: [Aside] = []
    var posted = 0
    var isDelivering = false
  }

  private struct Delivery: Sendable {
    let events: [OperationEvent]
    let first: Int
    let subscribers: [Subscriber]
  }

  private let state = Lock(State())

  /// The observers that follow the operation.
  var observers: [any OperationObserver] { state.withLock { $0.subscribers.map(\.observer) } }

  /// The events that are not steps.
  var asides: [Aside] { state.withLock { $0.asides } }

  /// Adds an observer of the events posted from now on.
  func subscribe(_ observer: any OperationObserver) {
    state.withLock { $0.subscribers.append(Subscriber(observer: observer, since: $0.posted)) }
  }

  func post(_ event: OperationEvent) {
    state.withLock { state in
      state.posted += 1
      state.pending.append(event)
    }
  }

  /// The number of asides that are kept for later streams; an operation may produce others forever.
  static let keptAsides = 256

  /// Posts an event that is not a step, and keeps it for later streams.
  func post(_ event: OperationEvent, afterStep step: Int) {
    state.withLock { state in
      if state.asides.count == 2 * Self.keptAsides { state.asides.removeFirst(Self.keptAsides) }
      state.asides.append(Aside(step: step, event: event))
      state.posted += 1
      state.pending.append(event)
    }
  }

  /// Delivers the pending events, unless another thread is already delivering and will deliver these too.
  func deliver(of record: OperationRecord) {
    guard startDelivering() else { return }
    let operation = OperationReference(record: record)
    while let delivery = next() {
      for (offset, event) in delivery.events.enumerated() {
        for subscriber in delivery.subscribers where subscriber.since <= delivery.first + offset {
          subscriber.observer.observe(event, of: operation)
        }
        if case .ended = event { record.announce() }
      }
    }
  }

  private func startDelivering() -> Bool {
    state.withLock { state in
      guard !state.isDelivering, !state.pending.isEmpty else { return false }
      state.isDelivering = true
      return true
    }
  }

  private func next() -> Delivery? {
    state.withLock { state in
      guard !state.pending.isEmpty else {
        state.isDelivering = false
        return nil
      }
      let events = state.pending
      state.pending = []
      return Delivery(events: events, first: state.posted - events.count, subscribers: state.subscribers)
    }
  }
}

/// An observer that passes an operation's events to an asynchronous sequence.
struct EventStream: OperationObserver {
  let continuation: AsyncStream<OperationEvent>.Continuation

  func observe(_ event: OperationEvent, of operation: OperationReference) {
    continuation.yield(event)
    if case .ended = event { continuation.finish() }
  }

  /// Yields the past steps and the events between them. With an outcome, that is all.
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
