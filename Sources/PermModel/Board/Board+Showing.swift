// How an alert is made, and made again.

extension Board {
  /// Begins to make an item's alert as soon as a screen waits for it. From then on, no request can join it.
  mutating func riseIfWanted(_ id: Item.ID) {
    guard let item = items[id], item.phase == .first, item.showings.values.contains(.wanted) else { return }
    stopJoining(id)
    items[id]?.phase = .rising
    make(id)
  }

  /// Makes the current version of an item's alert. An earlier version that is still being made is out of date.
  mutating func make(_ id: Item.ID) {
    guard var item = items[id] else { return }
    item.version = makeNumber()
    item.isMadeEarly = false
    items[id] = item
    emit(.make(id, version: item.version, item.requests))
  }

  /// Takes an alert that was made. The alert is made while its requests are being written to the store, and again once
  /// they are there, because something can have changed in the meantime.
  mutating func made(_ id: Item.ID, version: Int, _ alert: Alert) {
    guard let item = items[id], item.version == version else { return }
    switch item.phase {
    case .up: replace(item, alert)
    case .rising where !item.unstored.isEmpty: items[id]?.isMadeEarly = true
    case .rising: bringUp(item, alert)
    default: break
    }
  }

  private mutating func bringUp(_ item: Item, _ alert: Alert) {
    items[item.id]?.made = alert
    items[item.id]?.phase = .up
    emit(.note(item.id, .shown, item.requests))
    hand(item.id)
  }

  /// Shows an alert whose meaning has changed again on every screen, so that nobody answers what they have not read.
  private mutating func replace(_ item: Item, _ alert: Alert) {
    guard alert.digest != item.made?.digest else { return }
    items[item.id]?.made = alert
    hide(item.id) { item.showings[$0] == .shown }
    offer(item.id)
  }

  /// Looks at all items again, because decisions might cover them by now.
  mutating func decisionsChanged() {
    for item in items.values where !item.requests.isEmpty {
      if item.phase == .rising { make(item.id) } else { emit(.judge(item.id, item.requests)) }
    }
  }

  /// Makes the alert again that is up, because the settings that it was made with have changed.
  mutating func settingsChanged() {
    for item in items.values where item.phase == .up && !item.requests.isEmpty { make(item.id) }
  }
}
