// A person's responses to an alert, and how they are settled.

extension Board {
  /// Takes a person's response at a screen, which then no longer shows the item.
  ///
  /// - Parameter digest: The digest of the alert as the person read it; `nil` if no alert was shown.
  mutating func respond(_ visit: Visit, _ response: AlertResponse, to digest: AlertDigest?) {
    guard !leave(visit), let item = items[visit.item],
      items[visit.item]?.showings.removeValue(forKey: visit.screen) != nil
    else { return }
    switch item.phase {
    case .settling: return
    case .aside(let screen) where screen != visit.screen: return
    // Requests that nobody has read can have joined since it was set aside.
    case .aside where response != .dismissed: return again(item.id)
    default: break
    }
    guard digest == nil || digest == item.made?.digest else { return again(item.id) }
    settle(item.id, .response(response.from(origin(of: visit.screen)), to: digest))
  }

  /// Takes a person's response to an alert at a screen that follows pictures.
  ///
  /// - Parameter digest: The digest of the alert as the person read it.
  /// - Throws: The reason why the response has no effect.
  mutating func respond(
    _ alert: Alert.ID, _ response: AlertResponse, to digest: AlertDigest, at screen: Screen.ID
  ) throws(AnswerRefused) -> Item.ID {
    guard let id = alerts[alert], let item = items[id], let made = item.made, item.phase == .up,
      item.showings[screen] == .shown
    else { throw .notShown(alert) }
    try made.check(response, to: digest)
    let visit = Visit(item: id, screen: screen)
    if response == .setAside { setAside(visit) } else { respond(visit, response, to: digest) }
    return id
  }

  /// Shows an alert again that was set aside at a screen.
  mutating func reopen(_ alert: Alert.ID, at screen: Screen.ID) {
    guard let id = alerts[alert], items[id]?.phase == .aside(at: screen) else { return }
    want(Visit(item: id, screen: screen))
  }

  /// Sets an item aside at the screen that shows it, and frees the slot. Requests can join it again.
  mutating func setAside(_ visit: Visit) {
    let id = visit.item
    guard let item = items[id], item.phase == .up, item.showings[visit.screen] == .shown else { return }
    let origin = origin(of: visit.screen)
    items[id]?.phase = .aside(at: visit.screen)
    items[id]?.showings[visit.screen] = .aside
    items[id]?.asideBy = origin
    asides.removeAll { $0 == id }
    asides.append(id)
    hide(id) { $0 != visit.screen }
    leaveLine(id)
    if let key = item.key, joinable[key] == nil { joinable[key] = id }
    emit(.note(id, .setAside(by: origin), item.requests))
  }

  /// Lets an item that was set aside wait for the slot again, at the end of the line.
  mutating func reopen(_ id: Item.ID, by origin: Origin?) {
    guard let item = items[id], case .aside = item.phase else { return }
    items[id]?.phase = .inLine
    items[id]?.made = nil
    emit(.note(id, .reopened(by: origin), item.requests))
    lineUp(id)
  }

  /// Begins to check and store how an item ends. Until that is done, no other answer counts and the item keeps the slot.
  mutating func settle(_ id: Item.ID, _ closing: Closing) {
    guard let item = items[id], item.phase != .settling else { return }
    stopJoining(id)
    if item.claim == nil { leaveLine(id) }
    items[id]?.phase = .settling
    emit(.settle(id, closing, item.requests))
  }

  /// Takes the outcomes of an item's requests, which are in the store now.
  ///
  /// - Parameter isAnswered: Whether a person answered.
  mutating func settled(_ id: Item.ID, _ outcomes: [Request.ID: Outcome], isAnswered: Bool = false) {
    guard let item = items[id] else { return }
    if isAnswered { items[id]?.isAnswered = true }
    if item.requests.isEmpty { return remove(id) }
    end(outcomes, of: id)
    // A request can have joined while the others were settled by decisions.
    switch items[id]?.phase {
    case .settling: changed(id)
    case .rising: make(id)
    default: break
    }
  }

  /// Takes the news that an answer does not count, because the alert has changed since it was read. The alert comes up
  /// as it is now.
  mutating func changed(_ id: Item.ID) {
    guard let item = items[id], item.phase == .settling else { return }
    items[id]?.ends = [:]
    end(item.ends.mapValues(Outcome.ended), of: id)
    if items[id] != nil { again(id) }
  }

  /// Makes an item's alert again, and takes its earlier version off all screens.
  mutating func again(_ id: Item.ID) {
    guard let item = items[id] else { return }
    hide(id) { item.showings[$0] == .shown }
    items[id]?.made = nil
    switch item.phase {
    case .inLine, .patient: return
    case _ where item.claim != nil:
      items[id]?.phase = .rising
      offer(id)
      make(id)
    default:
      items[id]?.phase = .inLine
      lineUp(id)
    }
  }
}

extension AlertResponse {
  /// Returns the response with the place where it was given, if it does not name one itself.
  fileprivate func from(_ origin: Origin?) -> AlertResponse {
    guard case .answered(var answer) = self else { return self }
    answer.origin = answer.origin ?? origin
    return .answered(answer)
  }
}
