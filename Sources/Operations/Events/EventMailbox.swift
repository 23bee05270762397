import Machine

/// Brings an operation's events to its observers one at a time, in the order in which they were posted.
///
/// Posting may happen while a queue's lock is held; delivering happens outside of it, on the thread that comes first.
final class EventMailbox: Sendable {
  /// Something that happened beside the steps of an operation's history.
  struct Aside: Sendable {
    let step: Int
    let event: OperationEvent
  }

  private struct Subscriber: Sendable {
    let observer: any OperationObserver
    /// How many events had been posted before it came; it was told those in another way.
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

  /// Who follows.
  var observers: [any OperationObserver] { state.withLock { $0.subscribers.map(\.observer) } }

  /// What happened beside the steps.
  var asides: [Aside] { state.withLock { $0.asides } }

  /// Adds an observer of what is posted from now on.
  func subscribe(_ observer: any OperationObserver) {
    state.withLock { $0.subscribers.append(Subscriber(observer: observer, since: $0.posted)) }
  }

  func post(_ event: OperationEvent) {
    state.withLock { state in
      state.posted += 1
      state.pending.append(event)
    }
  }

  /// How many events beside the steps are kept for those who ask later; an operation may produce others for ever.
  static let keptAsides = 256

  /// Posts what is no step, and keeps it for those who will ask later.
  func post(_ event: OperationEvent, afterStep step: Int) {
    state.withLock { state in
      if state.asides.count == 2 * Self.keptAsides { state.asides.removeFirst(Self.keptAsides) }
      state.asides.append(Aside(step: step, event: event))
      state.posted += 1
      state.pending.append(event)
    }
  }

  /// Delivers what is pending, unless another thread is at it and will deliver this too.
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
