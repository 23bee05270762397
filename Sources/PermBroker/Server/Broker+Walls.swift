import Machine
import PermModel

// Calls that come from behind walls, through the socket `ask` that a warden serves there.

extension Broker {
  func addEntrance(to router: inout CallRouter) {
    router.add(Methods.Enter.self) { [self] parameters, call in
      _ = try runs.run(parameters.run, of: configuration.wardens.identity(call.peer.pid))
      guard call.client.enter(try parameters.caller()) else {
        throw BrokerError.mayNotChange(reason: "this connection belongs to a process behind walls already")
      }
    }
  }

  /// Returns the program of the run from which a call comes, and the subject for which everything there is asked; `nil` if
  /// the call comes from outside. A name that the program gives itself does not count.
  func asker(behindWalls call: CallRouter.Call) throws(BrokerError) -> (SeenProgram, Subject)? {
    guard let caller = call.client.walled else {
      guard runs.subject(of: call.peer.pid, configuration.wardens) == nil else {
        throw .mayNotChange(reason: "a warden does not ask for itself; it calls Enter first")
      }
      return nil
    }
    let run = try runs.run(caller.run, of: configuration.wardens.identity(call.peer.pid))
    var seen = run.seen
    seen.evidence.walled = caller.process
    seen.evidence.workingDirectory = caller.folder
    return (seen, run.subject)
  }

  /// Makes sure that a call does not come from behind walls.
  func checkOutside(_ call: CallRouter.Call, _ parameter: String) throws(BrokerError) {
    guard try asker(behindWalls: call) == nil else {
      throw .invalid(parameter: parameter, reason: "what runs behind walls is not asked about there")
    }
  }

  // MARK: Values

  /// Finds out the meaning of the values that a process behind walls asks for. No process of a run is looked at: paths are
  /// looked up in the broker's own view, from the folder that the warden names. Folders of the run's own mean nothing there.
  func resolve(
    _ asked: AskedValues, in folder: String?, for judge: Judge, forAlert: Bool
  ) async throws -> ResolvedValues {
    let asked = try asked.rooted(in: folder)
    let own = AskingProcess(AskingProcess.own.identity, workingFolder: folder) { nil }
    var found = try await lookup.resolve(asked, by: own, for: judge, forAlert: forAlert)
    if let place = found.atoms.lazy.compactMap(OwnFolders.folder).first {
      throw LookupRefused.unfit(reason: "\(place) is the run's own, and needs no permission there")
    }
    if !asked.lines.isEmpty {
      found.facts.isElsewhere = !judge.subject.isIn(folder)
    }
    try found.checkLength()
    return found
  }

  // MARK: Lines

  /// Answers a request of an agent's hook to run lines: behind walls, whatever they do is asked about when they do it.
  ///
  /// - Returns: The request and its end. The end is `nil` if the request must be asked about, or is decided. If it is asked
  ///   about, its evidence has the reason.
  func answerBehindWalls(
    _ request: PermModel.Request, from call: CallRouter.Call
  ) throws -> (PermModel.Request, Methods.Request.Reply?) {
    guard let caller = call.client.walled, request.capability == "commands" else { return (request, nil) }
    let judgement = try store.judgement(
      on: request.atoms, request.facts, by: judge(of: request.subject, request.capability))
    guard judgement.asks else { return (request, nil) }
    if let reason = try reasonToAsk(about: judgement, of: caller) {
      guard var evidence = request.evidence else { return (request, nil) }
      evidence.walled?.remark = reason
      return (request.with(evidence), nil)
    }
    let reason = "behind walls"
    answers.note(
      AutomaticAnswer(
        .allow, subject: request.subject, capability: request.capability, atoms: request.atoms, reason: reason
      ))
    let answer = GivenAnswer(.allow, to: request.atoms, at: desk.now, reason: reason)
    return (request, .init(id: request.id, .answered(answer)))
  }

  private func reasonToAsk(about judgement: Judgement, of caller: WalledCaller) throws -> String? {
    switch caller.opening {
    case .socket: return "this run may use a socket of this machine, through which it can leave the walls"
    case .native: return "this run uses a folder of this machine directly"
    case nil: break
    }
    if try mayUseSocket(judgement.subject) {
      return "a socket of this machine is allowed to it, through which it can leave the walls"
    }
    guard caller.isBelowProgram, store.isInstalledAgent(judgement.subject) else {
      return "it cannot be told that an agent behind these walls runs the line"
    }
    return judgement.reasonToAskBehindWalls
  }

  /// Whether a decision allows a socket of this machine to a program.
  private func mayUseSocket(_ subject: Subject) throws -> Bool {
    try store.standing(of: subject, capability: "files").decisions.values.contains { decision in
      guard decision.verdict == .allow, decision.atom.name == "write",
        case .path(let path) = decision.atom.scope
      else { return false }
      return FileStatus(path.bytes)?.kind == .socket
    }
  }
}

extension Methods.Enter.Parameters {
  fileprivate func caller() throws(BrokerError) -> WalledCaller {
    guard (1...64).contains(name.utf8.count) else {
      throw .invalid(parameter: "name", reason: "it must have 1 to 64 bytes")
    }
    let process = ProcessIdentity(pid: pid, startTime: UInt64(bitPattern: started))
    return WalledCaller(
      run: run, process: WalledProcess(name: name, process: process), folder: folder,
      isBelowProgram: belowProgram, opening: opening.flatMap { .init(rawValue: $0.rawValue) })
  }
}

extension Subject {
  /// Whether a folder is the one in which an agent began; `true` for other programs.
  fileprivate func isIn(_ folder: String?) -> Bool {
    guard let own = self.folder else { return true }
    guard let status = folder.flatMap({ FileStatus($0) }) else { return false }
    return status.device == own.device && status.inode == own.inode
  }
}

/// The folders that each run has for itself, so that their names mean other files there.
private enum OwnFolders {
  private static let all = ["/tmp", "/dev", "/proc", "/sys"].compactMap { try? AbsolutePath($0) }

  /// Returns the name of the folder in which a value lies; `nil` if it lies in none.
  static func folder(of atom: Atom) -> String? {
    switch atom.scope {
    case .path(let path), .folder(let path):
      all.first { $0 == path || $0.isAbove(path) }.map { String(decoding: $0.bytes, as: UTF8.self) }
    default: nil
    }
  }
}

extension AskedValues {
  /// Returns the same values, with relative paths behind a folder.
  fileprivate func rooted(in folder: String?) throws -> AskedValues {
    var rooted = self
    rooted.paths = try paths.map { path in
      guard path.spelled.bytes.first != UInt8(ascii: "/") else { return path }
      guard let folder else {
        throw LookupRefused.unfit(
          reason: "the working folder of the program is unknown; write the whole path")
      }
      let bytes = Array(folder.utf8) + [UInt8(ascii: "/")] + path.spelled.bytes
      return Path(part: path.part, spelled: try SpelledPath(bytes, isFolder: path.spelled.isFolder))
    }
    return rooted
  }
}
