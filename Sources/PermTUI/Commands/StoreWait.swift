import Glibc
import PermBroker
import PermModel

/// A request where no broker runs: decisions answer it, or the program's own terminal, or whoever comes to the store.
struct StoreWait {
  let asked: AskedQuestion
  let place: BrokerPlace
  let deadline: ContinuousClock.Instant?
  let hasTerminal: Bool
  let context: CommandContext

  /// What ends the waiting.
  private enum Ending {
    case closed, broker, timedOut, signal
  }

  /// The end of the request; `nil` once there is a broker to ask.
  func outcome(_ hasSaidHow: inout Bool) throws -> RequestProgress? {
    // Before anything that starts a thread, which would take the signals instead.
    let signals = Signals([SIGINT, SIGTERM, SIGHUP])
    let request = try asked.request(deadline: deadline, context)
    if let known = try known(request) { return known }
    if hasTerminal {
      let answer = OwnTerminal.prompt(
        try asked.alert(place, context), until: signals.descriptor, deadline: deadline)
      if let number = signals.take().first { Signals.end(by: number) }
      return answer ?? .timedOut
    }
    return try wait(request, signals, &hasSaidHow)
  }

  // MARK: Known answers

  /// What decisions answer, and that they did.
  private func known(_ request: Request) throws -> RequestProgress? {
    let standing = try context.store(.read).standing(of: request.subject, capability: request.capability)
    let outlook = AnswerOutlook(request.subject, asked.reference, standing, in: context)
    switch outlook.answer {
    case .ask: return nil
    case .unavailable: return .unavailable(explanation: outlook.reason)
    case .allow, .deny:
      let verdict: Verdict = outlook.answer == .allow ? .allow : .deny
      try context.store(.change).record(
        AutomaticAnswer(
          verdict, subject: request.subject, capability: request.capability, atoms: request.atoms,
          reason: outlook.reason, decisions: outlook.decisions))
      return verdict == .allow ? .allowed : .denied(explanation: outlook.reason)
    }
  }

  // MARK: Waiting

  private func wait(
    _ request: Request, _ signals: Signals, _ hasSaidHow: inout Bool
  ) throws -> RequestProgress? {
    let watch = try BrokerWatch(.ask, among: place.addresses)
    let store = try context.store(.change)
    let changes = try store.changes()
    if case .ended(let entry) = try store.open(request) { return try asked.progress(entry, context) }
    asked.sayHow(&hasSaidHow, context.console)
    switch ending(request, changes, watch, signals.descriptor) {
    case .closed: return try asked.endInStore(place, context) ?? .dismissed
    case .broker: return nil
    case .timedOut:
      try store.close(request.id, .timedOut, by: .commandLineAlone)
      return .timedOut
    case .signal:
      try store.close(request.id, .withdrawn, by: .commandLineAlone)
      Signals.end(by: signals.take().first ?? SIGTERM)
    }
  }

  private func ending(
    _ request: Request, _ changes: StoreChanges, _ watch: BrokerWatch, _ signals: Int32
  ) -> Ending {
    AsyncBridge.wait { [deadline] in
      await withTaskGroup(of: Ending?.self) { group in
        group.addTask { await Self.isClosed(request.id, by: changes) ? .closed : nil }
        group.addTask { await watch.waitUntilListening() ? .broker : nil }
        group.addTask {
          await Readable.wait(signals)
          return Task.isCancelled ? nil : .signal
        }
        if let deadline {
          group.addTask {
            (try? await Task.sleep(until: deadline, clock: .continuous)) == nil ? nil : .timedOut
          }
        }
        defer { group.cancelAll() }
        for await ending in group { if let ending { return ending } }
        return .timedOut
      }
    }
  }

  private static func isClosed(_ id: Request.ID, by changes: StoreChanges) async -> Bool {
    do {
      for try await change in changes where change.entries.contains(where: { $0.ends(id) }) { return true }
      return false
    } catch {
      // What cannot be watched any more is looked at, which says why.
      return true
    }
  }
}

extension JournalEntry {
  /// Whether it tells how a request ended.
  fileprivate func ends(_ id: Request.ID) -> Bool {
    request == id && RequestProgress(self) != nil
  }
}

extension RequestProgress {
  /// How a request ended; `nil` where the entry tells of something else.
  init?(_ entry: JournalEntry) {
    switch entry.kind {
    case .answered, .automatic:
      self = entry.verdict == .allow ? .allowed : .denied(explanation: entry.text)
    case .dismissed: self = .dismissed
    case .withdrawn: self = .withdrawn
    case .timedOut: self = .timedOut
    default: return nil
    }
  }
}
