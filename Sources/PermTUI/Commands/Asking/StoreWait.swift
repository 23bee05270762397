import PermBroker
import PermModel

/// A request where no broker runs: decisions answer it, or the program's own terminal, or whoever comes to the store.
struct StoreWait {
  let asked: AskedQuestion
  let place: BrokerPlace
  let deadline: ContinuousClock.Instant?
  let terminal: OwnTerminal
  let context: CommandContext

  /// The end of the request; `nil` once there is a broker to ask.
  func outcome() throws -> RequestEnd? {
    let request = try asked.request(deadline: deadline, context)
    if let known = try known(request) { return known }
    // From before the request is there, so that no broker is missed that begins without it.
    let watch = try BrokerWatch(.ask, among: place.addresses)
    let store = try context.store(.change)
    if case .ended(let end) = try store.open(request) {
      return try asked.end(end, of: request.subject, in: store, context)
    }
    let end = try wait(for: request, store, watch)
    if let end { terminal.takeOff(after: end) }
    return end
  }

  // MARK: Known answers

  private func outlook(_ request: Request, _ store: any PermissionStore) throws -> AnswerOutlook {
    let standing = try store.standing(of: request.subject, capability: request.capability)
    return AnswerOutlook(request.subject, asked.reference, standing, in: context)
  }

  /// What decisions answer, and that they did. A request that a broker has left in the store is ended there instead.
  private func known(_ request: Request) throws -> RequestEnd? {
    let store = try context.store(.read)
    if try store.waitingRequests().contains(where: { $0.id == request.id }) { return nil }
    let outlook = try outlook(request, store)
    guard let answer = outlook.end?.answer else { return outlook.end }
    try context.store(.change).record(
      AutomaticAnswer(
        answer.verdict, subject: request.subject, capability: request.capability, atoms: request.atoms,
        reason: outlook.reason, decisions: outlook.decisions))
    return outlook.end
  }

  // MARK: Waiting

  private func wait(
    for request: Request, _ store: any PermissionStore, _ watch: BrokerWatch
  ) throws -> RequestEnd? {
    while true {
      // From before the look on, so that no change is missed.
      let changes = try store.changes()
      if let end = try end(of: request, in: store) { return end }
      switch terminal.wait(asking: try alert(for: request, in: store), sources(request, changes, watch)) {
      case .brokerCame:
        try store.setTerminal(request.id, nil)
        return nil
      case .typed(let verdict):
        if let end = try answer(request, verdict, in: store) { return end }
      case .inputEnded:
        terminal.questionEnded()
        let end = try close(request, .withdrawn, in: store)
        return end == .withdrawn ? .dismissed : end
      case .timedOut: return try close(request, .timedOut, in: store)
      case .signalled:
        terminal.takeSignals { _ = try? store.close(request.id, .withdrawn, by: .commandLineAlone) }
      case .storeChanged, .brokerSpoke, .terminalChanged: break
      }
    }
  }

  private func sources(_ request: Request, _ changes: StoreChanges, _ watch: BrokerWatch) -> [WaitSource] {
    var sources: [WaitSource] = [
      { await Self.waitForChange(of: changes, about: request) },
      { await watch.waitUntilListening() ? .brokerCame : nil },
    ]
    if let deadline { sources.append(WaitEvent.deadline(deadline)) }
    return sources
  }

  private static func waitForChange(of changes: StoreChanges, about request: Request) async -> WaitEvent? {
    do {
      for try await change in changes where change.entries.contains(where: { $0.mayAnswer(request) }) {
        return .storeChanged
      }
      return nil
    } catch {
      // What cannot be watched any more is looked at, which says why.
      return .storeChanged
    }
  }

  /// What to ask on the terminal; `nil` where the program may not. The store tells others where it is asked.
  private func alert(for request: Request, in store: any PermissionStore) throws -> Alert? {
    guard terminal.takeTurn() else {
      try store.setTerminal(request.id, nil)
      terminal.sayHow(asked.question.capability)
      return nil
    }
    try store.setTerminal(request.id, request.evidence?.terminal ?? "its own terminal")
    return try asked.alert(place, context)
  }

  // MARK: Ends

  /// How the request ended in the store, or what decisions say about it by now; `nil` if it still waits.
  private func end(of request: Request, in store: any PermissionStore) throws -> RequestEnd? {
    if let end = try asked.end(in: store, context) { return end }
    return try outlook(request, store).end.map { try close(request, $0, in: store) }
  }

  /// Ends the request by what was answered on the terminal; `nil` if something else answers it by now.
  private func answer(
    _ request: Request, _ verdict: Verdict, in store: any PermissionStore
  ) throws -> RequestEnd? {
    let control = StoreControl(
      store, catalogue: context.catalogue, policy: context.policy(), origin: .terminal)
    guard try control.answer(request.id, onItsTerminal: verdict) else { return nil }
    terminal.questionEnded()
    return .answered(GivenAnswer(verdict, to: request.atoms, at: context.now))
  }

  /// Ends the request, unless somebody was faster.
  private func close(
    _ request: Request, _ end: RequestEnd, in store: any PermissionStore
  ) throws -> RequestEnd {
    let closed = try store.close(request.id, end, by: .commandLineAlone)
    return closed.requests.isEmpty ? try asked.end(in: store, context) ?? .dismissed : end
  }
}

extension JournalEntry {
  /// Whether it may tell of a request's end, or of a decision that answers it.
  fileprivate func mayAnswer(_ asked: Request) -> Bool {
    if request == asked.id { return RequestEnd(self) != nil }
    return concernsDecisions && (subject.map { $0.label == asked.subject.label } ?? true)
  }
}
