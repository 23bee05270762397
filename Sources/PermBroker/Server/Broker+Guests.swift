import Machine
import PermModel

// Programs behind walls that ask over the socket `ask`, as an agent's hook does.

extension Broker {
  private typealias Request = PermModel.Request

  /// Notes for which process a warden has connected.
  func enter(_ parameters: Methods.Enter.Parameters, by peer: Peer) throws(BrokerError) {
    _ = try runs.run(parameters.run, of: configuration.wardens.identity(peer.pid))
    guard let socket = UInt32(exactly: parameters.socket), socket > 0 else {
      throw .invalid(parameter: "socket", reason: "it is not the number of a socket")
    }
    guard (try? AbsolutePath(parameters.folder)) != nil else {
      throw .invalid(parameter: "folder", reason: "it is not an absolute path")
    }
    let process = try WalledProcess(named: parameters.name, parameters.pid, parameters.started)
    if parameters.left == true { runs.leave(parameters.run) }
    runs.enter(socket, RunGuest(process: process, folder: parameters.folder), in: parameters.run)
  }

  /// Returns the subject of what a program behind walls asks: always that of its run, by whatever name it asks.
  ///
  /// An agent that asks for the first time asks in the folder of its run from then on. A program that only starts others,
  /// such as a shell in which an agent was started, is no agent.
  func insider(of run: Runs.Run, isInFolder: Bool) -> Subject {
    var subject = run.subject
    guard isInFolder, subject.folder == nil, run.seen.evidence.doubt == nil else { return subject }
    subject.folder = run.seen.evidence.workingDirectory.flatMap { ProgramFolder(at: $0) } ?? .unknown
    folders.noteAgent(subject, process: run.seen.evidence.process)
    return subject
  }

  /// Answers the hook of an agent behind walls, about a command. There, running a program is no more than reading its file,
  /// so the command is allowed, unless anything was decided against it or it leads beyond the walls.
  ///
  /// - Returns: The end of the request; `nil` if it is asked about as outside of walls.
  func allowedBehindWalls(
    _ parameters: Methods.Request.Parameters, of seen: IdentifiedProgram, as subject: Subject, at peer: Peer
  ) async throws -> Methods.Request.Reply? {
    guard parameters.inFolder ?? false, parameters.capability == Capability.Commands.definition.name,
      case .inside(let run, _) = runs.place(of: peer), !run.hasLeft, !run.hasNativeFolder
    else { return nil }
    // What was decided before the run's program was known as an agent holds for it, too.
    let subjects = Set([subject, run.subject])
    guard try !subjects.union([.everyone]).contains(where: mayLeave) else { return nil }
    let (asked, request) = try await makeRequest(parameters, of: seen, as: subject)
    let judgements = try subjects.map {
      try store.judgement(on: request.atoms, request.facts, by: judge(of: $0, request.capability))
    }
    guard judgements.allSatisfy(\.isOpenForWalls), asked.lines.count == request.atoms.count else {
      return nil
    }
    var entry = AskingLedger.Entry(
      request: request, peer: peer, seen: seen, account: CostAccount(ProgramKey(subject), in: .unknown)
    ) {}
    (entry.group, entry.mark) = (parameters.group, parameters.mark)
    ledger.noteAllowed(entry)
    answers.note(
      AutomaticAnswer(
        .allow, subject: subject, capability: request.capability, atoms: request.atoms,
        reason: Self.behindWalls))
    return .init(id: request.id, .answered(GivenAnswer(.allow, at: answerer.now, reason: Self.behindWalls)))
  }

  private static let behindWalls = "behind walls"

  /// Whether a decision allows a program a socket of the host. Whoever may use one can leave the walls.
  private func mayLeave(_ subject: Subject) throws -> Bool {
    try store.decisions(DecisionFilter(subject: subject, capability: Capability.Files.definition.name))
      .contains {
        guard $0.verdict == .allow, case .path(let path) = $0.atom.scope else { return false }
        return FileStatus(path.bytes)?.kind == .socket
      }
  }
}

extension Judgement {
  /// Whether nothing speaks against running these lines behind walls: nobody has denied them, nor what they may contain, no
  /// panic lasts, and they are not asked about each time.
  fileprivate var isOpenForWalls: Bool {
    asks && open == atoms && standing.suspension == nil && onceReason == nil && !mayContainDenied
      && !atoms.contains(where: \.leadsBeyond)
  }
}

extension Atom {
  /// Whether the atom is a line that is asked about each time, because it can have effects elsewhere.
  fileprivate var leadsBeyond: Bool {
    guard case .command(let line) = scope else { return true }
    return ShellLine(line).isAlwaysAsked
  }
}
