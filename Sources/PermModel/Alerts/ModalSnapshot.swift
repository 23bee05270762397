/// What the modal slot shows and who waits for it, at one moment.
public struct ModalSnapshot: Hashable, Sendable {
  public var showing: Alert?
  /// Alerts that wait to be shown, in the order in which they asked.
  public var waiting: [Alert] = []
  /// Alerts that the person answers later.
  public var setAside: [Alert] = []

  public init(showing: Alert? = nil, waiting: [Alert] = [], setAside: [Alert] = []) {
    self.showing = showing
    self.waiting = waiting
    self.setAside = setAside
  }

  /// How many alerts are shown or wait to be: the four in `Request 1 of 4`.
  public var count: Int { waiting.count + (showing == nil ? 0 : 1) }
}

extension ModalSnapshot {
  mutating func wait(_ alert: Alert) {
    remove(alert.id)
    waiting.append(alert)
  }

  mutating func show(_ alert: Alert) {
    remove(alert.id)
    showing = alert
  }

  mutating func setAside(_ alert: Alert) {
    remove(alert.id)
    setAside.append(alert)
  }

  mutating func remove(_ id: Alert.ID) {
    if showing?.id == id { showing = nil }
    waiting.removeAll { $0.id == id }
    setAside.removeAll { $0.id == id }
  }
}
