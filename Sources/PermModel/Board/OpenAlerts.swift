import Machine

package enum AlertEvent: Hashable, Sendable {
  case answered(AlertResponse)
  case setAside, reopened
  /// The presenter does not show the alert, so the alert must be shown elsewhere.
  case declined
}

/// The alerts that a presenter is showing or has set aside. This class is for presenters that receive the person's
/// actions as events.
package final class OpenAlerts: Sendable {
  private enum Phase {
    case shown(Alert)
    case aside
    /// The alert has been answered, declined or reopened. Further events have no effect.
    case left

    /// Returns the phase that an event leads to; `nil` if the event has no effect.
    func after(_ event: AlertEvent) -> Phase? {
      switch (self, event) {
      case (.shown, .setAside): .aside
      case (.shown, .answered), (.shown, .declined), (.aside, .reopened): .left
      default: nil
      }
    }
  }

  private struct Entry: Sendable {
    var phase: Phase
    var isBacked = true
    let events: AsyncStream<AlertEvent>.Continuation
  }

  private let entries = Lock<[Alert.ID: Entry]>([:])

  package init() {}

  /// Shows an alert each time its turn comes, until the person has answered it.
  ///
  /// - Returns: The response; `nil` if the alert was withdrawn, or if ``end()`` was called.
  /// - Throws: ``AlertPresenterError/nobodyThere`` if the alert was declined; otherwise any error of `show`.
  package func follow(
    _ turn: AlertTurn, show: (Alert) throws(AlertPresenterError) -> Void
  ) async throws(AlertPresenterError) -> AlertResponse? {
    let (events, continuation) = AsyncStream.makeStream(of: AlertEvent.self)
    defer { entries.withLock { $0[turn.id] = nil } }
    turns: while let alert = await turn.alert() {
      entries.withLock { $0[turn.id] = Entry(phase: .shown(alert), events: continuation) }
      try show(alert)
      for await event in events {
        switch event {
        case .answered(let response): return response
        case .setAside: await turn.setAside()
        case .reopened: continue turns
        case .declined: throw .nobodyThere
        }
      }
      return nil
    }
    return nil
  }

  package subscript(id: Alert.ID) -> Alert? {
    if case .shown(let alert) = entries.withLock({ $0[id]?.phase }) { alert } else { nil }
  }

  /// Handles a person's action on an alert.
  ///
  /// - Parameter wasSeen: Returns whether an open alert is the one that was on the screen.
  /// - Returns: Whether the action takes effect. It does not if the alert has changed since it was on the screen. While
  ///   no broker waits for the answer, any action only dismisses the alert.
  package func take(
    _ event: AlertEvent, _ id: Alert.ID, where wasSeen: (Alert) -> Bool = { _ in true }
  ) -> Bool {
    let entry: Entry? = entries.withLock { entries in
      guard let entry = entries[id], let next = entry.phase.after(event) else { return nil }
      if case .shown(let alert) = entry.phase, !wasSeen(alert) { return nil }
      entries[id]?.phase = next
      return entry
    }
    guard let entry else { return false }
    let result = entry.events.yield(entry.isBacked ? event : .answered(.dismissed))
    if case .enqueued = result { return entry.isBacked }
    return false
  }

  /// Notes whether a broker waits for the answer to an alert. While none does, any action only dismisses the alert.
  ///
  /// - Returns: Whether the alert is currently shown.
  package func setBacked(_ isBacked: Bool, _ id: Alert.ID) -> Bool {
    entries.withLock { entries in
      guard case .shown? = entries[id]?.phase else { return false }
      entries[id]?.isBacked = isBacked
      return true
    }
  }

  package func end() {
    entries.withLock { Array($0.values) }.forEach { $0.events.finish() }
  }
}
