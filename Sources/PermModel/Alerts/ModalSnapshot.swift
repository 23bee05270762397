/// The alerts of the modal slot at one point in time: the alert on the screen, the alerts that wait, and the alerts
/// that were set aside.
package struct ModalSnapshot: Hashable, Sendable {
  package var showing: Alert?
  /// The alerts that wait to be shown, in the order in which they will be shown if no alert is added or removed.
  package var waiting: [Alert] = []
  package var setAside: [Alert] = []

  /// The number of alerts that are shown or waiting, for example the 4 in `Request 1 of 4`.
  package var count: Int { waiting.count + (showing == nil ? 0 : 1) }
}

extension ModalSnapshot {
  mutating func wait(_ alert: Alert) {
    drop(alert.id)
    waiting.append(alert)
    takeTurns()
  }

  mutating func show(_ alert: Alert) {
    drop(alert.id)
    showing = alert
    takeTurns()
  }

  mutating func setAside(_ alert: Alert) {
    drop(alert.id)
    setAside.append(alert)
  }

  mutating func remove(_ id: Alert.ID) {
    drop(id)
    takeTurns()
  }

  private mutating func drop(_ id: Alert.ID) {
    if showing?.id == id { showing = nil }
    waiting.removeAll { $0.id == id }
    setAside.removeAll { $0.id == id }
  }

  /// Reorders the waiting alerts so that programs take turns: first comes the first request of each program, then the
  /// second request of each program, and so on. The alert on the screen counts as a first request.
  private mutating func takeTurns() {
    var counts: [Asker: Int] = [:]
    if let program = showing?.program { counts[program] = 1 }
    let rounds = waiting.map { alert in
      guard let program = alert.program else { return 0 }
      defer { counts[program, default: 0] += 1 }
      return counts[program, default: 0]
    }
    // Sorting by round and then by index keeps the existing order within a round.
    waiting = zip(rounds, waiting.indices).sorted { $0 < $1 }.map { waiting[$0.1] }
  }
}
