package import PermModel

/// Carries out commands by calling the broker's methods over the `control` socket.
extension BrokerConnection: PermissionControl {
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
    _ verdict: Verdict, _ program: String, _ requirement: String, for lifetime: LifetimeChoice, note: String?
  ) throws -> [Decision] {
    let parameters = Methods.RulingParameters(
      program: program, capability: requirement, lifetime: Wire.Lifetime(lifetime), note: note)
    let reply =
      switch verdict {
      case .allow: try call(Methods.Allow.self, parameters)
      case .deny: try call(Methods.Deny.self, parameters)
      }
    return reply.decisions.map(\.decision)
  }

  package func forget(_ program: String, _ requirement: String?) throws -> [Decision] {
    try call(Methods.Forget.self, .init(program: program, capability: requirement)).decisions.map(\.decision)
  }

  package func undo(onlyTelling: Bool) throws -> DecisionChange {
    let reply = try call(Methods.Undo.self, .init(preview: onlyTelling))
    guard reply.conflicts.isEmpty else {
      throw BrokerError.undoRefused(reason: reply.conflicts.joined(separator: "; "))
    }
    return DecisionChange(id: reply.change, entries: reply.entries.map(\.entry))
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
    return try call(Methods.Log.self, parameters).entries.map(\.entry)
  }

  /// Starts watching for changes, which ``nextChange()`` returns one by one.
  package func watch(after position: JournalEntry.ID?) throws(BrokerError) {
    try send(Methods.Watch.self, .init(after: position), more: true)
  }

  package func nextChange() throws(BrokerError) -> StoreChange {
    StoreChange(try next(of: Methods.Watch.self).reply)
  }
}

extension StoreChange {
  init(_ reply: Methods.Watch.Reply) {
    self.init(entries: reply.entries.map(\.entry), position: reply.position)
  }
}
