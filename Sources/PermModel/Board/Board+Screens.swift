// The screens that show alerts: which item is shown where.

extension Board {
  /// Adds a screen.
  ///
  /// - Parameters:
  ///   - dashboard: The dashboard at this screen. It replaces an earlier screen of the same dashboard.
  ///   - name: The operator of a dashboard on another machine.
  mutating func attach(
    _ dashboard: String?, as kind: Screen.Kind = .presenter, of process: Int32? = nil,
    operator name: String? = nil
  ) -> Screen.ID {
    if let dashboard { detach { $0.dashboard == dashboard } }
    let screen = Screen(
      id: makeNumber(), kind: kind, dashboard: dashboard, process: process, operatorName: name)
    screens.append(screen)
    offerAgain()
    return screen.id
  }

  mutating func detach(_ id: Screen.ID) { detach { $0.id == id } }

  private mutating func detach(where isMeant: (Screen) -> Bool) {
    for screen in screens.filter(isMeant) {
      for id in items.keys {
        hide(id) { $0 == screen.id }
        // The item is shown again because that dashboard leaves.
        if items[id]?.phase == .aside(at: screen.id) { reopen(id, by: items[id]?.asideBy) }
      }
      screens.removeAll { $0.id == screen.id }
    }
    offerAgain()
  }

  /// Sets whether a dashboard holds alerts.
  mutating func hold(_ isOnHold: Bool, dashboard: String) {
    for index in screens.indices where screens[index].dashboard == dashboard {
      screens[index].isOnHold = isOnHold
    }
  }

  /// Offers what is shown to all screens, also to those that have declined it.
  private mutating func offerAgain() {
    for (id, item) in items where item.claim != nil {
      items[id]?.showings = item.showings.filter { $0.value != .declined }
      offer(id)
    }
  }

  /// Offers an item that holds the slot to each screen that does not know it yet.
  mutating func offer(_ id: Item.ID) {
    guard let item = items[id], item.claim != nil else { return }
    for screen in screens where item.showings[screen.id] == nil {
      // The screen might still be taking away an earlier version of the alert, or an earlier alert of the same id.
      guard !leaving.contains(where: { $0.screen == screen.id && $1 == item.alert }) else { continue }
      offer(Visit(item: id, screen: screen.id), as: screen.kind)
    }
  }

  private mutating func offer(_ visit: Visit, as kind: Screen.Kind) {
    items[visit.item]?.showings[visit.screen] = kind == .list ? .declined : .offered
    switch kind {
    case .presenter: emit(.show(visit))
    case .pictures: want(visit)
    case .list: break
    }
  }

  /// Takes an item away from some screens.
  mutating func hide(_ id: Item.ID, at isMeant: (Screen.ID) -> Bool) {
    guard let item = items[id] else { return }
    for (screen, showing) in item.showings where isMeant(screen) {
      items[id]?.showings[screen] = nil
      guard showing != .declined, kind(of: screen) == .presenter else { continue }
      let visit = Visit(item: id, screen: screen)
      leaving[visit] = item.alert
      emit(.hide(visit))
    }
  }

  /// Takes a screen's wish to show an item's alert now. A screen that has set the item aside reopens it with this.
  mutating func want(_ visit: Visit) {
    let id = visit.item
    guard leaving[visit] == nil, let item = items[id], item.showings[visit.screen] != nil else { return }
    items[id]?.showings[visit.screen] = .wanted
    switch item.phase {
    case .aside(visit.screen): reopen(id, by: origin(of: visit.screen))
    case .up, .settling: hand(id)
    case .first: riseIfWanted(id)
    case .patient, .inLine, .rising, .aside: break
    }
  }

  /// Hands an item's alert to each screen that waits for it.
  mutating func hand(_ id: Item.ID) {
    guard let item = items[id], let alert = item.made else { return }
    for (screen, showing) in item.showings where showing == .wanted {
      items[id]?.showings[screen] = .shown
      if kind(of: screen) == .presenter { emit(.hand(alert, Visit(item: id, screen: screen))) }
    }
  }

  /// Notes that a screen does not show an item, or has failed to.
  mutating func decline(_ visit: Visit, _ error: any Error) {
    guard !leave(visit), items[visit.item]?.showings[visit.screen] != nil else { return }
    items[visit.item]?.showings[visit.screen] = .declined
    if endsIfDeclined { settle(visit.item, .failure(error)) }
  }

  /// Notes that a screen has finished with an item. Returns whether the item was taken away there before.
  mutating func leave(_ visit: Visit) -> Bool {
    guard leaving.removeValue(forKey: visit) != nil else { return false }
    left(visit)
    for id in claims.values.compactMap(\.holder) { offer(id) }
    return true
  }

  func origin(of screen: Screen.ID) -> Origin? { screens.first { $0.id == screen }?.origin }

  private func kind(of screen: Screen.ID) -> Screen.Kind? { screens.first { $0.id == screen }?.kind }
}
