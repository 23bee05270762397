import Machine
import PermModel

// The answers to the questions of Deno processes.

extension Broker: DenoAnswerer {
  func recall(_ asked: AskedValues, at peer: Peer, _ memory: DenoMemory) async throws -> Verdict? {
    let asker = try asker(at: peer, memory, store.version())
    let found = try await resolve(asked, for: asker.seen, asker.subject, forAlert: false)
    let judgement = try judgement(on: found, asked.capability, of: asker, memory, store.version())
    guard judgement.open.isEmpty else { return nil }
    let use = judgement.use
    // A decision is valid even if its use cannot be recorded.
    try? answers.record(use)
    if use.verdict == .allow { return .allow }
    await holdBack(CostAccount(asker.seen, at: peer, in: asker.subject.folder).program)
    return .deny
  }

  func ask(
    _ asked: AskedValues, at peer: Peer, _ memory: DenoMemory
  ) async throws -> Methods.Request.Reply {
    let (seen, subject) = try asker(at: peer, label: nil, isInFolder: false)
    try memory.check(DenoMemory.AskingProgram(seen: seen, subject: subject))
    let found = try await resolve(asked, for: seen, subject)
    let request = PermModel.Request(
      id: PermModel.Request.ID(answerer.makeID()), subject: subject, capability: asked.capability,
      atoms: found.atoms, askedAt: answerer.now, evidence: seen.evidence, facts: found.facts)
    var entry = AskingLedger.Entry(
      request: request, peer: peer, seen: seen, account: CostAccount(seen, at: peer, in: subject.folder)
    ) {}
    entry.isPatient = true
    return try await answer(entry, asking: asked)
  }

  func allowsEveryCommand(at peer: Peer, _ memory: DenoMemory) async throws -> DenoReply {
    let version = try store.version()
    let asker = try asker(at: peer, memory, version)
    let found = ResolvedValues(atoms: [Atom("commands", "run")])
    let use = try judgement(on: found, "commands", of: asker, memory, version).use
    guard use.verdict == .allow else { return .deny("not every command is allowed (commands:run@*)") }
    try? answers.record(use)
    return .allow
  }

  func noteRefusal(at peer: Peer, _ memory: DenoMemory) {
    guard let subject = memory.firstAsker?.subject ?? (try? asker(at: peer, memory, store.version()))?.subject
    else { return }
    answers.note(
      AutomaticAnswer(
        .deny, subject: subject, capability: nil, atoms: [],
        reason: "denied without asking: what Deno sent cannot be asked about"))
  }

  private func asker(at peer: Peer, _ memory: DenoMemory, _ version: Int) throws -> DenoMemory.AskingProgram {
    try memory.asker(at: version) {
      let (seen, subject) = try asker(at: peer, label: nil, isInFolder: false, withChain: false)
      return DenoMemory.AskingProgram(seen: seen, subject: subject)
    }
  }

  private func judgement(
    on found: ResolvedValues, _ capability: String, of asker: DenoMemory.AskingProgram, _ memory: DenoMemory,
    _ version: Int
  ) throws -> Judgement {
    let standing = try memory.standing(
      of: asker.subject, capability: capability, asking: found.facts.needed(for: found.atoms), in: store,
      at: version)
    return try judge(of: asker.subject, capability).judgement(on: found.atoms, standing, found.facts)
  }

  // MARK: Values that need a look at the process

  func asked(temporaryFile path: SpelledPath, at peer: Peer) throws -> AskedValues {
    let folder = Environment.variables(of: peer.pid)?["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var asked = AskedValues(dialect: .deno, "files", "write", [path, try DenoWish.path(folder)])
    asked.onceReason = "Deno does not say in which folder the temporary file is"
    return asked
  }
}
