import Machine

/// A mailbox that delivers an operation's events to its observers one at a time, in the order in which the
/// events were posted.
///
/// Events can be posted while a queue's lock is held, but are delivered without the lock, by the first thread
/// that can do so.
final class EventMailbox: Sendable {
  /// An event that is not a step of an operation's history.
  struct Aside: Sendable {
    let step: Int
    let event: OperationEvent
  }

  private struct Subscriber: Sendable {
    let observer: any OperationObserver
    /// The number of events that were posted before the observer subscribed. The mailbox does not deliver
    /// these events to the observer.
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

  var observers: [any OperationObserver] { state.withLock { $0.subscribers.map(\.observer) } }

  var asides: [Aside] { state.withLock { $0.asides } }

  /// Adds an observer, which is notified of events that are posted from now on.
  func subscribe(_ observer: any OperationObserver) {
    state.withLock { $0.subscribers.append(Subscriber(observer: observer, since: $0.posted)) }
  }

  /// The number of latest asides to keep for later streams. An operation can post asides forever. Therefore, once there
  /// are twice as many as this number, the older half is dropped.
  static let keptAsides = 256

  /// Posts an event.
  ///
  /// - Parameter step: `nil` if the event is a step. Otherwise, the number of steps before the event. Such an event is
  ///   kept for later streams.
  func post(_ event: OperationEvent, afterStep step: Int? = nil) {
    state.withLock { state in
      state.posted += 1
      state.pending.append(event)
      guard let step else { return }
      if state.asides.count == 2 * Self.keptAsides { state.asides.removeFirst(Self.keptAsides) }
      state.asides.append(Aside(step: step, event: event))
    }
  }

  /// Delivers the pending events. If another thread is already delivering events, leaves the pending ones to
  /// that thread.
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
      let events = exchange(&state.pending, with: [])
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

  /// Yields the past steps and the events between them, and finishes the stream if the operation has an outcome.
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
