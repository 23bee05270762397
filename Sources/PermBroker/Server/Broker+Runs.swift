import Machine
import PermModel

// The methods through which a warden asks for the programs behind its walls.

extension Broker {
  func addRunMethods(to router: inout CallRouter) {
    router.add(Methods.Supervise.self) { [self] parameters, call, send in
      guard call.takesMore else { throw BrokerError.expectsMore(Methods.Supervise.fullName) }
      try await supervise(parameters, by: call.peer, send)
      return .init()
    }
    router.add(Methods.Ask.self) { [self] parameters, call, _ in
      try await ask(parameters, by: call.peer)
      return .init(presenters: keeper.screenCount)
    }
    router.add(Methods.Enter.self) { [self] parameters, call in try enter(parameters, by: call.peer) }
    router.add(Methods.Unask.self) { [self] parameters, call in
      _ = try runs.run(parameters.run, of: configuration.wardens.identity(call.peer.pid))
      runs.unask(parameters.id, in: parameters.run)
    }
  }

  // MARK: Supervising

  /// Keeps a run for as long as its warden is connected.
  private func supervise(
    _ parameters: Methods.Supervise.Parameters, by peer: Peer,
    _ send: CallRouter.Send<Methods.Supervise.Reply>
  ) async throws {
    let id = try requestID(parameters.run)
    let warden = try warden(at: peer)
    let first = ProcessIdentity(
      pid: parameters.pid, startTime: UInt64(bitPattern: parameters.started))
    guard configuration.wardens.descends(first, warden) else {
      throw BrokerError.invalid(parameter: "pid", reason: "it is no process that the caller has started")
    }
    let (seen, subject) = try program(of: parameters, first, startedBy: warden)
    let (messages, outbox) = AsyncStream.makeStream(of: Methods.Supervise.Reply.self)
    let isNative = parameters.native ?? false
    let run = Runs.Run(warden, seen, as: subject, hasNativeFolder: isNative) { outbox.yield($0) }
    try runs.begin(id, run)
    defer { end(id, of: warden) }
    try await send(.init(subject: Wire.Program(subject)))
    // The loop ends when the warden disconnects, because this task is then cancelled.
    for await message in messages { try await send(message) }
  }

  /// Ends a run, with all that was asked from behind its walls.
  private func end(_ id: String, of warden: ProcessIdentity) {
    runs.end(id)
    let left = ledger.entries { $0.isBehindWalls && $0.peer.pid == warden.pid }
    ledger.withdraw(Set(left.map(\.request.id)))
  }

  /// Returns the identity of the caller, which must be a warden of this installation, outside of all sandboxes. Otherwise
  /// any process could ask in the name of a program that it has not started.
  private func warden(at peer: Peer) throws(BrokerError) -> ProcessIdentity {
    let caller = configuration.control.look(peer)
    if let namespace = caller.foreign {
      throw .mayNotChange(reason: ControlRule.Objection.elsewhere(namespace).words)
    }
    guard caller.isHeld, configuration.wardens.isWarden(peer.pid),
      let warden = configuration.wardens.identity(peer.pid)
    else { throw .mayNotChange(reason: "only \(WardenWitness.program) can supervise a run") }
    return warden
  }

  /// Returns the program of a run, and the subject that stands for it: the same one as outside of the walls.
  private func program(
    of parameters: Methods.Supervise.Parameters, _ first: ProcessIdentity, startedBy warden: ProcessIdentity
  ) throws -> (IdentifiedProgram, Subject) {
    let claim = RunClaim(
      first: first, program: parameters.program, arguments: parameters.arguments, folder: parameters.folder,
      terminal: parameters.terminal)
    guard var seen = claim.seenProgram() else { throw BrokerError.noSuchFile(parameters.program) }
    let started = configuration.witness.chain(warden) ?? [WardenWitness.program]
    seen.evidence.chain = started + seen.evidence.chain
    // A program known by a link has the link's name, whatever the file of the present version is called.
    let isKnownLink = store.knownLinks.paths.contains(parameters.program)
    var subject = seen.subject(
      label: parameters.label ?? (isKnownLink ? parameters.program.lastPathPart : nil))
    try check(label: subject.label, of: seen)
    if try folders.isAgent(subject) || store.isAgent(subject) {
      subject.folder = ProgramFolder(at: parameters.folder) ?? .unknown
    }
    return (seen, subject)
  }

  // MARK: Asking

  /// Begins to ask a question, about which the warden's word counts for everything: the broker looks into no process of
  /// a run.
  private func ask(_ parameters: Methods.Ask.Parameters, by peer: Peer) async throws {
    let warden = configuration.wardens.identity(peer.pid)
    _ = try runs.run(parameters.run, of: warden)
    if parameters.left == true { runs.leave(parameters.run) }
    let run = try runs.run(parameters.run, of: warden)
    let atoms = try parameters.atoms(in: settings.catalogue)
    let request = try await question(parameters, about: atoms, in: run)
    // If the id belongs to another request, the warden is told at once.
    _ = try store.state(of: request)
    let account = CostAccount(ProgramKey(run.subject), in: .unknown)
    var entry = AskingLedger.Entry(request: request, peer: peer, seen: run.seen, account: account) {}
    entry.isOfWarden = true
    var asked = AskedValues(capability: request.capability)
    // As nothing that the program spelled has to be looked up, a path is as certain as anything else.
    asked.others = atoms
    try runs.ask(
      parameters.id, in: parameters.run, at: .microseconds(store.environment.now().bootTime)
    ) {
      Task.quiet { [self, asked, entry] in await follow(entry, asking: asked, in: run, parameters.run) }
    }
  }

  private func question(
    _ parameters: Methods.Ask.Parameters, about atoms: Set<Atom>, in run: Runs.Run
  ) async throws -> PermModel.Request {
    let id = Request.ID(try requestID(parameters.id))
    var evidence = run.seen.evidence
    evidence.walled = run.described(try parameters.asking)
    var facts = await lookup.facts(
      about: atoms, in: evidence.workingDirectory, for: try judge(of: run.subject, parameters.capability))
    if let caution = parameters.caution {
      facts.paths += atoms.map { PathFact(scope: $0.scope, doubt: caution.words) }
    }
    return Request(
      id: id, subject: run.subject, capability: parameters.capability, atoms: atoms,
      askedAt: ledger.askedAt(id) ?? answerer.now, evidence: evidence, facts: facts)
  }

  private typealias Request = PermModel.Request

  /// Waits for the answer to a question, and tells the warden.
  private func follow(
    _ entry: AskingLedger.Entry, asking asked: AskedValues, in run: Runs.Run, _ id: String
  ) async {
    let question = entry.request.id.text
    var isAnswered = false
    defer { runs.ended(question, in: id, isAnswered: isAnswered) }
    do {
      let reply = try await answer(entry, asking: asked)
      isAnswered = [.allowed, .denied].contains(reply.state)
      if isStopping || Task.isCancelled { return }
      // A panic denies for as long as it lasts. The warden would keep a denial until the end of the run.
      let isPanic = try reply.state == .denied && store.suspension() != nil
      run.tell(
        .init(
          ended: question, state: isPanic ? .withdrawn : reply.state, explanation: reply.explanation,
          allowed: reply.allowed == nil ? nil : reply.allowedValues ?? []))
    } catch {
      if isStopping || Task.isCancelled { return }
      run.tell(.init(ended: question, state: .withdrawn, explanation: "\(BrokerError(error))"))
    }
  }
}

extension Methods.Ask.Caution {
  /// The caution as a doubt, which no wider scope and no longer allow covers.
  fileprivate var words: String {
    switch self {
    case .socket: "it is a socket of this machine, and whoever may use it can leave the walls"
    case .behindName: "a name leads to this address, which is this machine's or its network's"
    }
  }
}

extension Methods.Ask.Parameters {
  /// The capabilities whose values a warden can see being used.
  private static let capabilities: Set<String> = ["files", "network"]

  fileprivate func atoms(in catalogue: CapabilityCatalogue) throws(BrokerError) -> Set<Atom> {
    guard Self.capabilities.contains(capability) else {
      throw .invalid(parameter: "capability", reason: "a run asks about files and network only")
    }
    let most = caution == nil ? CapabilityReference.mostValues : 1
    guard (1...most).contains(values.count) else {
      throw .invalid(
        parameter: "values", reason: most == 1 ? "give one value with a caution" : "give 1 to \(most) values")
    }
    let definition = try catalogue.definition(named: capability)
    return Set(
      try values.map { value throws(BrokerError) in
        let atom = Atom(capability, value.part, try value.scope.checked())
        switch atom.scope {
        case .path, .folder, .host: break
        default: throw .invalid(parameter: "values", reason: "each is a path, a folder or a host")
        }
        try definition.check(atom, taking: atom.scope.kind)
        return atom
      })
  }

  /// The process that asks.
  fileprivate var asking: WalledProcess {
    get throws(BrokerError) { try WalledProcess(named: name, pid, started) }
  }
}

extension WalledProcess {
  /// Creates the description of a process as a warden has sent it.
  init(named name: String, _ pid: Int32, _ started: Int64) throws(BrokerError) {
    guard (1...64).contains(name.utf8.count) else {
      throw .invalid(parameter: "name", reason: "it must have 1 to 64 bytes")
    }
    self.init(name: name, process: ProcessIdentity(pid: pid, startTime: UInt64(bitPattern: started)))
  }
}
