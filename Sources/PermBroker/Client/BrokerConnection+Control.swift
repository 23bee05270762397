package import PermModel

/// Carries out commands by calling the broker's methods over the `control` socket.
extension BrokerConnection: PermissionControl {
  /// Returns the capabilities that the user has defined, in the form in which the broker uses them now.
  package func ownCapabilities() throws -> [CapabilityDescriptor] {
    try call(Methods.OwnCapabilities.self, .init()).capabilities.map(\.descriptor)
  }

  package func pending() throws -> [PendingRequest] {
    try call(Methods.Pending.self, .init()).requests.map { try $0.pending() }
  }

  package func answer(_ id: Request.ID, _ answer: Answer, to digest: AlertDigest) throws {
    _ = try call(
      Methods.Answer.self,
      .init(id: id.text, answer: Wire.Response(answer), digest: digest.description))
  }

  package func dismiss(_ id: Request.ID) throws {
    _ = try call(Methods.Answer.self, .init(id: id.text))
  }

  package func decide(
    _ verdict: Verdict, _ program: String, in folder: String?, _ requirements: [CapabilityReference],
    for lifetime: LifetimeChoice?, note: String?
  ) throws -> DecisionResult {
    let parameters = Methods.RulingParameters(
      program: program, folder: folder, capabilities: requirements.map(Wire.Requirement.init),
      lifetime: lifetime.map(Wire.LifetimeChoice.init), note: note)
    let reply =
      switch verdict {
      case .allow: try call(Methods.Allow.self, parameters)
      case .deny: try call(Methods.Deny.self, parameters)
      }
    return DecisionResult(try reply.decisions.map { try $0.decision() }, takenBack: reply.takenBack ?? 0)
  }

  package func announceImport() throws { _ = try call(Methods.Import.self, .init()) }

  package func decide(_ decisions: [PlannedDecision]) throws -> DecisionResult {
    let rulings = decisions.map { decision in
      Wire.Ruling(
        verdict: decision.verdict, program: decision.program, folder: decision.folder,
        capabilities: decision.requirements.map(Wire.Requirement.init),
        lifetime: decision.lifetime.map(Wire.LifetimeChoice.init), note: decision.note)
    }
    let reply = try call(Methods.Decide.self, .init(rulings: rulings))
    return DecisionResult(try reply.decisions.map { try $0.decision() }, takenBack: reply.takenBack ?? 0)
  }

  package func forget(
    _ program: String, in folder: String?, _ requirements: [CapabilityReference]
  ) throws -> [Decision] {
    let named = requirements.isEmpty ? nil : requirements.map(Wire.Requirement.init)
    let reply = try call(
      Methods.Forget.self, .init(program: program, folder: folder, capabilities: named))
    return try reply.decisions.map { try $0.decision() }
  }

  package func mute(
    _ program: String, in folder: String?, for lifetime: LifetimeChoice
  ) throws -> Decision {
    let reply = try call(
      Methods.Mute.self, .init(program: program, folder: folder, lifetime: Wire.LifetimeChoice(lifetime)))
    guard let mute = reply.decisions.first else {
      throw BrokerError.notUnderstood("it did not say what it muted")
    }
    return try mute.decision()
  }

  package func unmute(_ program: String, in folder: String?) throws -> [Decision] {
    try call(Methods.Unmute.self, .init(program: program, folder: folder)).decisions.map { try $0.decision() }
  }

  package func setPanic(_ isOn: Bool) throws -> Bool {
    try call(Methods.Panic.self, .init(lift: !isOn)).changed
  }

  /// Begins a panic, ends all programs behind walls, and returns their number.
  package func endRuns() throws -> Int { try call(Methods.Panic.self, .init(end: true)).ended ?? 0 }

  package func take(_ step: HistoryStep, onlyTelling: Bool) throws -> DecisionChange {
    let parameters = Methods.HistoryParameters(preview: onlyTelling)
    let reply =
      switch step {
      case .undo: try call(Methods.Undo.self, parameters)
      case .redo: try call(Methods.Redo.self, parameters)
      }
    guard reply.conflicts.isEmpty else {
      throw BrokerError.undoRefused(reason: reply.conflicts.joined(separator: "; "))
    }
    return DecisionChange(id: reply.change, entries: try reply.entries.map { try $0.entry() })
  }

  package func journal(_ filter: JournalFilter, _ page: JournalPage) throws -> [JournalEntry] {
    var parameters = Methods.Log.Parameters(
      label: filter.label, path: filter.path, capability: filter.capability,
      kinds: filter.kinds.map { $0.map(\.rawValue).sorted() }, request: filter.request?.text,
      since: filter.since?.microseconds, until: filter.until?.microseconds)
    switch page {
    case .newest(let count): parameters.limit = count
    case .older(let id, let count): (parameters.before, parameters.limit) = (id, count)
    case .newer(let id, let count): (parameters.after, parameters.limit) = (id, count)
    }
    return try call(Methods.Log.self, parameters).entries.map { try $0.entry() }
  }

  /// Starts watching for changes, which ``nextChange()`` returns one by one.
  package func watch(after position: JournalEntry.ID?) throws(BrokerError) {
    try send(Methods.Watch.self, .init(after: position), more: true)
  }

  package func nextChange() throws(BrokerError) -> StoreChange {
    try StoreChange(try next(of: Methods.Watch.self).reply)
  }
}

extension StoreChange {
  init(_ reply: Methods.Watch.Reply) throws(BrokerError) {
    let entries = try reply.entries.map { one throws(BrokerError) in try one.entry() }
    self.init(entries: entries, position: reply.position)
  }
}
