import Machine
import PermModel

// The methods that people call over the `control` socket.

extension Broker {
  func addControlMethods(to router: inout CallRouter) {
    router.add(Methods.Pending.self) { [self] parameters, _, _ in
      if let limit = parameters.limit, limit < 1 {
        throw BrokerError.invalid(parameter: "limit", reason: "it must be 1 or more; leave it out for all")
      }
      let (longest, total) = try pending(by: .commandLine, atMost: parameters.limit)
      return .init(requests: longest.map(Wire.Waiting.init), total: total)
    }
    router.add(Methods.Answer.self) { [self] parameters, call, _ in
      try await answer(parameters, by: call.peer)
      return .init()
    }
    router.add(Methods.Allow.self) { [self] parameters, call, _ in
      try decide(.allow, parameters, by: call.peer)
    }
    router.add(Methods.Deny.self) { [self] parameters, call, _ in
      try decide(.deny, parameters, by: call.peer)
    }
    router.add(Methods.Decide.self) { [self] parameters, call, _ in try decide(parameters, by: call.peer) }
    router.add(Methods.Forget.self) { [self] parameters, call, _ in
      let forgotten = try control(parameters.origin, of: call.peer).forget(
        parameters.program, in: parameters.folder,
        try parameters.requirements().map(settings.catalogue.forgotten))
      return .init(decisions: forgotten.map(Wire.Decision.init))
    }
    router.add(Methods.Import.self) { _, _ in }
    addSilencingMethods(to: &router)
    router.add(Methods.Undo.self) { [self] parameters, call, _ in
      try take(.undo, parameters, by: call.peer)
    }
    router.add(Methods.Redo.self) { [self] parameters, call, _ in
      try take(.redo, parameters, by: call.peer)
    }
    addLookingMethods(to: &router)
  }

  private func addLookingMethods(to router: inout CallRouter) {
    router.add(Methods.Log.self) { [self] parameters, _, _ in try log(parameters) }
    router.add(Methods.State.self) { [self] _, _, _ in
      .init(pid: ProcessHandle.own, presenters: keeper.screenCount, waiting: try store.waitingCount())
    }
    router.add(Methods.OwnCapabilities.self) { [self] _, _, _ in
      let settings = self.settings
      return .init(capabilities: settings.catalogue.own.map { Wire.OwnCapability($0, in: settings.probes) })
    }
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

  private func addSilencingMethods(to router: inout CallRouter) {
    router.add(Methods.Mute.self) { [self] parameters, call, _ in
      let mute = try control(parameters.origin, of: call.peer).mute(
        parameters.program, in: parameters.folder, for: try parameters.lifetime?.choice() ?? Ruling.usualMute)
      return .init(decisions: [Wire.Decision(mute)])
    }
    router.add(Methods.Unmute.self) { [self] parameters, call, _ in
      let ended = try control(parameters.origin, of: call.peer).unmute(
        parameters.program, in: parameters.folder)
      return .init(decisions: ended.map(Wire.Decision.init))
    }
    router.add(Methods.Panic.self) { [self] parameters, call, _ in
      let hasChanged = try control(parameters.origin, of: call.peer).setPanic(!(parameters.lift ?? false))
      return .init(changed: hasChanged, ended: parameters.end == true ? runs.endAll() : nil)
    }
  }

  // MARK: Admitting

  /// Checks that the calling process is allowed to change something. If it is not, records the attempt in the journal.
  ///
  /// - Throws: ``BrokerError/mayNotChange(reason:)`` if the process is not allowed to change anything.
  func admitChange(by peer: Peer, at method: String) throws {
    let caller = configuration.control.look(peer)
    let objection = ControlRule.objection(
      to: caller, asking: try askers(among: caller.lineage.map(\.identity)), agent: folders.agent,
      known: try agents(behind: caller),
      agentsSince: folders.since, dashboards: Set(keeper.screens.compactMap(\.process)),
      isFromHere: configuration.control.isFromHere)
    guard let objection else { return }
    answers.note(objection.attempt(at: method, by: subject(of: peer)))
    // The calling process's dashboards are not allowed to answer either. Detaching them moves their alerts to other
    // dashboards.
    keeper.detach(process: peer.pid)
    throw BrokerError.mayNotChange(reason: objection.words)
  }

  /// Returns the waiting requests of some processes: those made through this broker, and those in the store.
  private func askers(among processes: [ProcessIdentity]) throws -> [StoredRequest] {
    let here = ledger.entries { processes.contains($0.seen.evidence.process) }
      .map { StoredRequest($0.request, process: $0.seen.evidence.process) }
    let stored = try processes.flatMap { try store.waitingRequests(of: $0) }
    // A program that vouches for another one does not ask for itself, so such a request does not count as its own.
    return (here + stored).filter { !$0.request.subject.isVouched }
  }

  /// Returns the agents about which the store has decisions in a folder, by the paths of the files that the caller and
  /// its ancestors run. The store knows them, too, after the broker was started again.
  private func agents(behind caller: ControlCaller) throws -> [String: Subject] {
    var agents: [String: Subject] = [:]
    for path in Set(caller.lineage.compactMap(\.program)) {
      let names: Set = [
        HookMessage.Agent.claude.rawValue, HookMessage.Agent.codex.rawValue, path.lastPathPart,
      ]
      for name in names {
        let decisions = try store.decisions(DecisionFilter(label: name, path: path))
        if let agent = decisions.first(where: { $0.subject.folder != nil })?.subject { agents[path] = agent }
      }
    }
    return agents
  }

  private func subject(of peer: Peer) -> Subject {
    witness.program(behind: peer, withChain: false)?.subject(label: nil)
      ?? Subject(label: "process \(peer.pid)")
  }

  // MARK: Answering

  /// Returns the requests that have waited the longest, whether a dashboard shows the alert of each, and the number of all
  /// that wait.
  func pending(
    by origin: Origin, atMost limit: Int? = nil
  ) throws -> (requests: [PendingRequest], total: Int) {
    let picture = keeper.picture
    let ids = picture.isOnScreen ? picture.up?.requestIDs ?? [] : []
    var (requests, total) = try control(by: origin).pending(atMost: limit)
    for place in requests.indices { requests[place].isOnScreen = ids.contains(requests[place].id) }
    return (requests, total)
  }

  private func answer(_ parameters: Methods.Answer.Parameters, by peer: Peer) async throws {
    let id = Request.ID(parameters.id)
    let control = try control(parameters.origin, of: peer)
    guard let given = parameters.answer else { return try control.dismiss(id) }
    let digest = try parameters.digest.shown()
    let answer = try given.answer(to: control.waitingRequest(id))
    try await self.answer(id, answer, to: digest, by: control.origin)
  }

  /// Writes an answer to the store, after a last look at the asking program and at the paths that it asked for. This
  /// broker's answerer notices the answer there and ends the request's alert.
  func answer(_ id: Request.ID, _ answer: Answer, to digest: AlertDigest, by origin: Origin) async throws {
    guard ledger.withdrawChanged([id], witness).isEmpty else {
      throw BrokerError.noSuchRequest(id.text)
    }
    guard await !ledger.askChangedAgain([id]) else { throw BrokerError.changed }
    try control(by: origin).answer(id, answer, to: digest)
  }

  // MARK: Deciding

  func control(by origin: Origin) -> StoreControl {
    StoreControl(store, catalogue: settings.catalogue, policy: settings.policy, origin: origin)
  }

  /// - Parameter origin: The origin that the caller named. If it is `nil`, the origin is the command line.
  private func control(_ origin: String?, of peer: Peer) throws(BrokerError) -> StoreControl {
    control(by: try self.origin(origin ?? "\(Origin.commandLine)", of: peer))
  }

  private func decide(
    _ verdict: Verdict, _ parameters: Methods.RulingParameters, by peer: Peer
  ) throws -> Methods.RulingReply {
    let kept = try control(parameters.origin, of: peer).decide(
      verdict, parameters.program, in: parameters.folder,
      try parameters.requirements().map(settings.catalogue.reference),
      for: try parameters.lifetime?.choice(), note: parameters.note)
    return .init(decisions: kept.decisions.map(Wire.Decision.init), takenBack: kept.takenBack)
  }

  private func decide(
    _ parameters: Methods.Decide.Parameters, by peer: Peer
  ) throws -> Methods.RulingReply {
    let decisions = try parameters.rulings.map { ruling in
      PlannedDecision(
        ruling.verdict, ruling.program, in: ruling.folder,
        try ruling.capabilities.map(settings.catalogue.reference),
        for: try ruling.lifetime?.choice(), note: ruling.note)
    }
    let kept = try control(parameters.origin, of: peer).decide(decisions)
    return .init(decisions: kept.decisions.map(Wire.Decision.init), takenBack: kept.takenBack)
  }

  private func take(
    _ step: HistoryStep, _ parameters: Methods.HistoryParameters, by peer: Peer
  ) throws -> Methods.HistoryReply {
    let control = try control(parameters.origin, of: peer)
    return .init(try control.take(step, of: parameters.change, onlyTelling: parameters.preview ?? false))
  }

  // MARK: Looking back

  private static let longestPage = 1000
  private static let usualPage = 200

  private func log(_ parameters: Methods.Log.Parameters) throws -> Methods.Log.Reply {
    let filter = JournalFilter(
      label: parameters.label, path: parameters.path, capability: parameters.capability,
      kinds: parameters.kinds.map { Set($0.compactMap(JournalEntry.Kind.init)) },
      request: parameters.request.map { Request.ID($0) },
      since: parameters.since.map(Timestamp.init(microseconds:)),
      until: parameters.until.map(Timestamp.init(microseconds:)))
    let limit = min(max(parameters.limit ?? Self.usualPage, 1), Self.longestPage)
    let page: JournalPage =
      parameters.after.map { .newer(than: $0, limit) }
      ?? parameters.before.map { .older(than: $0, limit) } ?? .newest(limit)
    answers.write()
    return .init(entries: try store.journal(filter, page).map(Wire.Entry.init))
  }

  /// Returns the origin of what a process does: the operator for whom it acts, or else the origin that it named.
  func origin(_ text: String, of peer: Peer) throws(BrokerError) -> Origin {
    let named: Origin
    switch Origin(text) {
    case .dashboard(let id)?: named = .dashboard(id: id)
    case .commandLine?: named = .commandLine
    default: throw .invalid(parameter: "origin", reason: "it is \"command-line\" or \"dashboard ID\"")
    }
    return operatorName(of: peer).map { named.of(operator: $0, process: peer.pid) } ?? named
  }

  /// Returns the operator for whom a process certainly acts.
  func operatorName(of peer: Peer) -> String? {
    if case .proven(let name)? = configuration.control.operator(peer) { name } else { nil }
  }
}

extension String? {
  /// Parses the digest of the alert that the person was shown. Every answer must contain such a digest.
  func shown() throws(BrokerError) -> AlertDigest {
    guard let self else {
      throw .invalid(parameter: "digest", reason: "an answer needs the digest of what was shown")
    }
    guard let digest = AlertDigest(self) else {
      throw .invalid(parameter: "digest", reason: "it has 64 hexadecimal digits")
    }
    return digest
  }
}

extension Methods.HistoryReply {
  init(_ preview: UndoPreview) {
    self.init(
      change: preview.change.id, entries: preview.change.entries.map(Wire.Entry.init),
      conflicts: preview.conflicts.map(\.inWords))
  }
}
