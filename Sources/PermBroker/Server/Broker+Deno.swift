import Machine
import PermModel

// The answers to the questions of Deno processes.

extension Broker: DenoDesk {
  func recall(
    _ asked: AskedValues, at peer: Peer, _ memory: DenoMemory
  ) async throws -> (verdict: Verdict?, atoms: Set<Atom>) {
    let asker = try asker(at: peer, memory)
    let found = try await find(asked, for: asker.seen, asker.subject, withProject: false)
    let decided = try decided(found, asked.capability, of: asker, memory)
    guard decided.atoms.atoms(found.atoms, in: [.undecided]).isEmpty else { return (nil, found.atoms) }
    let authorizer = authorizer.acting(for: asker.subject)
    // A decision is valid even if its use cannot be recorded.
    try? await authorizer.recordUse(of: found.atoms, decided.atoms, decided.standing)
    if decided.atoms.allows(found.atoms) { return (.allow, found.atoms) }
    await holdBack(Payer(asker.seen, at: peer, in: asker.subject.folder).program)
    return (.deny, found.atoms)
  }

  func allowsNow(_ asked: AskedValues, at peer: Peer, _ memory: DenoMemory) -> Bool {
    // The working folder of an agent counts for its commands.
    guard asked.lines.isEmpty, let asker = try? asker(at: peer, memory),
      let found = finder(for: asker.subject).findNow(asked, by: asker.seen.peer),
      let decided = try? decided(found, asked.capability, of: asker, memory),
      decided.atoms.allows(found.atoms)
    else { return false }
    let use = authorizer.acting(for: asker.subject).use(of: found.atoms, decided.atoms, decided.standing)
    // A decision is valid even if its use cannot be recorded.
    try? answers.record(use)
    return true
  }

  func perform(_ work: @escaping @Sendable () -> Void) -> Bool { configuration.resolver.perform(work) }

  func ask(_ asked: AskedValues, at peer: Peer) async throws -> Methods.Request.Reply {
    let (seen, subject) = try asker(at: peer, label: nil, isInFolder: false)
    let found = try await find(asked, for: seen, subject)
    let request = PermModel.Request(
      id: PermModel.Request.ID(desk.makeID()), subject: subject, capability: asked.capability,
      atoms: found.atoms, askedAt: desk.now, evidence: seen.evidence, facts: found.facts)
    var entry = AskingLedger.Entry(
      request: request, peer: peer, seen: seen, payer: Payer(seen, at: peer, in: subject.folder)
    ) {}
    entry.isPatient = true
    return try await answer(entry, asking: asked)
  }

  func allowsEveryCommand(at peer: Peer, _ memory: DenoMemory) async throws -> DenoReply {
    let asker = try asker(at: peer, memory)
    let found = FoundValues(atoms: [Atom("commands", "run")])
    let (atoms, standing) = try decided(found, "commands", of: asker, memory)
    guard atoms.allows(found.atoms) else { return .deny("not every command is allowed (commands:run@*)") }
    try? await authorizer.acting(for: asker.subject).recordUse(of: found.atoms, atoms, standing)
    return .allow
  }

  private func asker(at peer: Peer, _ memory: DenoMemory) throws -> DenoMemory.Asker {
    try memory.asker(in: store) {
      let (seen, subject) = try asker(at: peer, label: nil, isInFolder: false, withChain: false)
      return DenoMemory.Asker(seen: seen, subject: subject)
    }
  }

  private func decided(
    _ found: FoundValues, _ capability: String, of asker: DenoMemory.Asker, _ memory: DenoMemory
  ) throws -> (atoms: DecidedAtoms, standing: Standing) {
    let definition = try descriptor(of: capability).definition
    let standing = try memory.standing(
      of: asker.subject, capability: capability, asking: found.facts.needed(for: found.atoms), in: store)
    let restricted = settings.policy.restricted(for: asker.subject, definition)
    let atoms = DecidedAtoms(definition, standing: standing, restricted: restricted, facts: found.facts)
    return (atoms, standing)
  }

  // MARK: Values that need a look at the process

  func asked(running path: SpelledPath, at peer: Peer) async throws -> AskedValues {
    guard let process = ProcessStat(of: peer.pid) else { throw BrokerError.disconnected }
    do {
      let found = try await configuration.resolver.resolve(
        path.bytes, by: peer.pid, startedAt: process.startTime)
      guard let program = String(validating: found.path, as: UTF8.self) else { throw PathDoubt.notAPath }
      return try DenoWish.command(running: program)
    } catch let doubt as PathDoubt {
      throw DenoRefusal("it is not certain which program is meant: \(doubt.reason); write its whole path")
    }
  }

  func asked(temporaryFile path: SpelledPath, at peer: Peer) throws -> AskedValues {
    let folder = Environment.variables(of: peer.pid)?["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    return AskedValues(dialect: .deno, "files", "write", [path, try DenoWish.path(folder)])
  }
}
