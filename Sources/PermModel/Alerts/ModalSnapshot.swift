/// The alerts that the modal slot shows and keeps waiting, at one moment.
package struct ModalSnapshot: Hashable, Sendable {
  package var showing: Alert?
  /// Alerts that wait to be shown, in the order in which they will be if none are added or removed.
  package var waiting: [Alert] = []
  package var setAside: [Alert] = []

  /// The number of alerts that are shown or waiting: the 4 in `Request 1 of 4`.
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

  /// Puts a program's second request behind the first requests of all others, its third behind the second ones, and so
  /// on.
  private mutating func takeTurns() {
    var counts: [Asker: Int] = [:]
    if let program = showing?.program { counts[program] = 1 }
    let rounds = waiting.map { alert in
      guard let program = alert.program else { return 0 }
      defer { counts[program, default: 0] += 1 }
      return counts[program, default: 0]
    }
    // Sorting by round and place keeps the order within a round.
    waiting = zip(rounds, waiting.indices).sorted { $0 < $1 }.map { waiting[$0.1] }
  }
}
