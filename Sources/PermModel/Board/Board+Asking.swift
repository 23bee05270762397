// Requests that arrive, join an alert, leave and end.

extension Board {
  /// Takes a request. It joins an alert that nobody has seen yet, or gets an alert of its own.
  ///
  /// - Throws: The reason why the request gets no alert.
  mutating func ask(_ question: Question, at now: Moment) throws(RequestLimits.Refusal) {
    if let key = question.key, let id = joinable[key] { return join(question.id, to: id) }
    var item = Item(
      question, id: makeNumber(), alert: freeID(for: question.id), requests: [question.id])
    switch try admit(question, as: item.id, at: now) {
    case .free: break
    case .admitted(let admission): item.admission = admission
    case .later: item.phase = .patient
    }
    if let key = item.key { joinable[key] = item.id }
    homes[question.id] = item.id
    add(item)
  }

  /// Takes a confirmation or a notice, which nothing can join.
  mutating func present(_ alert: Alert, hasLease: Bool) -> Item.ID {
    let item = Item(alert, id: makeNumber(), hasLease: hasLease)
    add(item)
    return item.id
  }

  private mutating func add(_ item: Item) {
    items[item.id] = item
    alerts[item.alert] = item.id
    if item.phase == .inLine { lineUp(item.id) }
  }

  /// Returns the id of the alert for a request. The request itself can have begun another alert, which goes on for the
  /// requests that joined it.
  private func freeID(for request: Request.ID) -> Alert.ID {
    let id = Alert.ID(request.text)
    guard alerts[id] != nil else { return id }
    return (2...).lazy.map { Alert.ID("\(request.text)~\($0)") }.first { alerts[$0] == nil } ?? id
  }

  private mutating func join(_ request: Request.ID, to id: Item.ID) {
    homes[request] = id
    items[id]?.requests.append(request)
    items[id]?.unstored.insert(request)
  }

  /// Notes that a request is in the store.
  mutating func stored(_ request: Request.ID) {
    guard let id = homes[request], items[id]?.unstored.remove(request) != nil else { return }
    if items[id]?.phase == .rising, items[id]?.isMadeEarly == true { make(id) }
  }

  /// Ends the wait for a request that its program no longer wants in this form.
  mutating func leave(_ request: Request.ID, _ outcome: Outcome) {
    guard let id = homes[request] else { return }
    end([request: outcome], of: id)
    if items[id]?.phase == .rising { make(id) }
  }

  /// Takes the end of a request in the store.
  ///
  /// - Parameter isAnswered: Whether a person answered it, at another place than the program's own terminal.
  mutating func ended(_ request: Request.ID, _ end: RequestEnd, isAnswered: Bool) {
    guard let id = homes[request] else { return }
    if isAnswered { items[id]?.isAnswered = true }
    if items[id]?.phase == .settling {
      items[id]?.ends[request] = end
    } else {
      leave(request, .ended(end))
    }
  }

  /// Ends some of an item's requests. The item leaves the board with its last request.
  mutating func end(_ outcomes: [Request.ID: Outcome], of id: Item.ID) {
    guard let item = items[id] else { return }
    let ended = item.requests.filter { outcomes[$0] != nil }
    for request in ended {
      homes[request] = nil
      items[id]?.unstored.remove(request)
      if let outcome = outcomes[request] { emit(.end(request, outcome)) }
    }
    items[id]?.requests.removeAll { outcomes[$0] != nil }
    if !ended.isEmpty, items[id]?.requests.isEmpty == true { remove(id) }
  }

  /// Takes an item off the board, and off all screens.
  mutating func remove(_ id: Item.ID) {
    guard let item = items[id] else { return }
    stopJoining(id)
    patients.end(id)
    if item.isAnswered, item.wasPatient, let account = item.account { patients.giveBack(account) }
    if let admission = item.admission { limits?.end(admission, isAnswered: item.isAnswered) }
    hide(id) { _ in true }
    leaveLine(id)
    asides.removeAll { $0 == id }
    items[id] = nil
    alerts[item.alert] = nil
    emit(.over(id))
  }

  mutating func stopJoining(_ id: Item.ID) {
    if let key = items[id]?.key, joinable[key] == id { joinable[key] = nil }
  }
}

extension Board.Item {
  fileprivate init(_ alert: Alert, id: ID, hasLease: Bool) {
    let question = Board.Question(
      Request.ID(alert.id.text), summary: alert.content, program: hasLease ? nil : alert.program,
      hasLease: hasLease)
    self.init(question, id: id, alert: alert.id, requests: [])
  }
}

extension Alert {
  /// The program that asks, whatever folder it works in; `nil` for an alert that is not a request.
  fileprivate var program: ProgramKey? {
    if case .request(let alert) = content { ProgramKey(alert.request.subject.inAnyFolder) } else { nil }
  }
}
