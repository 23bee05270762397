import Glibc
import PermModel

// What persons do at the socket `control`.

extension Broker {
  func addControlMethods(to router: inout CallRouter) {
    router.add(Methods.Pending.self) { [self] _, _, _ in
      .init(requests: try store.waitingRequests().map(Wire.Waiting.init))
    }
    router.add(Methods.Answer.self) { [self] parameters, _, _ in
      try await answer(parameters)
      return Done()
    }
    router.add(Methods.Allow.self) { [self] parameters, _, _ in try decide(.allow, parameters) }
    router.add(Methods.Deny.self) { [self] parameters, _, _ in try decide(.deny, parameters) }
    router.add(Methods.Forget.self) { [self] parameters, _, _ in try forget(parameters) }
    router.add(Methods.Undo.self) { [self] parameters, _, _ in try undo(parameters) }
    router.add(Methods.Log.self) { [self] parameters, _, _ in try log(parameters) }
    router.add(Methods.Watch.self) { [self] parameters, call, send in
      guard call.takesMore else { throw BrokerError.expectsMore(Methods.Watch.fullName) }
      var last = Methods.Watch.Reply(entries: [], position: parameters.after ?? 0)
      for try await change in try store.changes(since: parameters.after) {
        last = .init(entries: change.entries.map(Wire.Entry.init), position: change.position)
        try await send(last)
      }
      return .init(entries: [], position: last.position)
    }
  }

  // MARK: Answering

  private func answer(_ parameters: Methods.Answer.Parameters) async throws {
    let id = Request.ID(parameters.id)
    guard let request = try store.waitingRequests().first(where: { $0.id == id })?.request else {
      throw BrokerError.noSuchRequest(parameters.id)
    }
    let origin = try origin(parameters.origin)
    guard let given = parameters.answer else {
      return try await settle(id, .dismissed, .dismissed, by: origin)
    }
    var answer = try given.answer(to: request)
    answer.origin = origin
    try check(answer, of: request)
    withdrawChanged(joinedWith: id)
    try await settle(id, .answered(answer), .answered(answer), by: origin)
  }

  /// Ends a request that waits here, or one that is only in the store.
  private func settle(
    _ id: Request.ID, _ response: AlertResponse, _ outcome: RequestOutcome, by origin: Origin
  ) async throws {
    if await desk.answer(id, with: response) { return }
    guard try !store.close(id, outcome, by: origin).requests.isEmpty else {
      throw BrokerError.noSuchRequest(id.text)
    }
  }

  /// Refuses what an alert would not offer either.
  private func check(_ answer: Answer, of request: Request) throws {
    if case .process = answer.lifetime, request.evidence == nil {
      throw BrokerError.invalid(parameter: "lifetime", reason: "the program's process is not known")
    }
    guard answer.lifetime != .once else { return }
    if let reason = try IdentityCheck(of: request, in: store).reasonForOnce {
      throw BrokerError.invalid(parameter: "lifetime", reason: "only once is possible: \(reason)")
    }
  }

  // MARK: Deciding

  private func decide(
    _ verdict: Verdict, _ parameters: Methods.RulingParameters
  ) throws -> Methods.DecisionsReply {
    let reference: CapabilityReference
    do {
      reference = try configuration.catalogue.parse(parameters.capability)
    } catch {
      throw BrokerError.unknownCapability(reason: "\(error)")
    }
    let lifetime = try parameters.lifetime?.choice() ?? .forever
    guard lifetime != .once, lifetime != .process else {
      throw BrokerError.invalid(
        parameter: "lifetime", reason: "there is no request and no process to tie it to")
    }
    let ruling = Ruling(
      verdict, subject: try ProgramName(parameters.program).decidable(in: store), atoms: reference.atoms,
      lifetime: lifetime, note: parameters.note)
    let decisions = try store.decide(ruling, by: try origin(parameters.origin))
    return .init(decisions: decisions.map(Wire.Decision.init))
  }

  private func forget(_ parameters: Methods.Forget.Parameters) throws -> Methods.DecisionsReply {
    let subjects = try ProgramName(parameters.program).known(in: store)
    guard !subjects.isEmpty else { throw BrokerError.noSuchProgram(parameters.program) }
    let origin = try origin(parameters.origin)
    var forgotten: [Decision] = []
    for subject in subjects {
      let filter = DecisionFilter(subject: subject, capability: parameters.capability)
      forgotten += try store.forget(filter, by: origin)
    }
    return .init(decisions: forgotten.map(Wire.Decision.init))
  }

  private func undo(_ parameters: Methods.Undo.Parameters) throws -> Methods.Undo.Reply {
    let origin = try origin(parameters.origin)
    guard let preview = try store.undoPreview(of: parameters.change) else { throw BrokerError.nothingToUndo }
    guard parameters.preview != true, preview.conflicts.isEmpty else { return .init(preview) }
    return .init(try store.undo(parameters.change, by: origin))
  }

  // MARK: Looking back

  private static let longestPage = 1000
  private static let usualPage = 200

  private func log(_ parameters: Methods.Log.Parameters) throws -> Methods.Log.Reply {
    let filter = JournalFilter(
      label: parameters.label, path: parameters.path, capability: parameters.capability,
      since: parameters.since.map(Timestamp.init(microseconds:)),
      until: parameters.until.map(Timestamp.init(microseconds:)))
    let limit = min(max(parameters.limit ?? Self.usualPage, 1), Self.longestPage)
    let page: JournalPage = parameters.before.map { .older(than: $0, limit) } ?? .newest(limit)
    return .init(entries: try store.journal(filter, page).map(Wire.Entry.init))
  }

  /// Who makes a change: a dashboard that says its id, else a command.
  private func origin(_ text: String?) throws(BrokerError) -> Origin {
    guard let text else { return .commandLine }
    switch Origin(text) {
    case .dashboard(let id)?: return .dashboard(id: id)
    case .commandLine?: return .commandLine
    default: throw .invalid(parameter: "origin", reason: "it is \"command-line\" or \"dashboard ID\"")
    }
  }
}

extension Methods.Undo.Reply {
  init(_ preview: UndoPreview) {
    self.init(
      change: preview.change.id, entries: preview.change.entries.map(Wire.Entry.init),
      conflicts: preview.conflicts.map(\.inWords))
  }
}

extension UndoConflict {
  /// Which decision changed since.
  var inWords: String { "\(key.atom) for \(key.subject) was changed since" }
}
