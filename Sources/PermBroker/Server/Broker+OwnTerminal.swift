import PermModel

// The methods for programs that ask on their own terminals while no dashboard is open.

extension Broker {
  func addOwnTerminalMethods(to router: inout CallRouter) {
    router.add(Methods.AskHere.self) { [self] parameters, call, _ in
      try askHere(parameters, from: call.peer)
      guard parameters.asks else { return .init() }
      return .init(capability: try ownCapability(askedBy: parameters.id, at: call.peer))
    }
    router.add(Methods.AnswerHere.self) { [self] parameters, call, _ in
      try await answerHere(parameters, from: call.peer)
      return .init()
    }
  }

  private func askHere(_ parameters: Methods.AskHere.Parameters, from peer: Peer) throws {
    let entry = try entry(parameters.id, askedBy: peer)
    let id = entry.request.id
    guard parameters.asks else { return leaveTerminal(id) }
    // Behind walls, the program has the terminal on which the answer would be given.
    guard !entry.seen.evidence.isSandboxed, entry.seen.evidence.walled == nil else {
      throw BrokerError.invalid(
        parameter: "asks", reason: "what runs in a sandbox or behind walls is not asked about there")
    }
    guard ledger.beginAskingHere(id) || ledger[id]?.isAskedHere == true else {
      throw BrokerError.tooMuch(reason: "this request was asked on its own terminal too often")
    }
    try store.setTerminal(id, entry.seen.evidence.terminal ?? "its own terminal")
    // This check comes last, so no dashboard is overlooked: one that opens later ends the question on the terminal.
    guard keeper.screenCount == 0 else {
      leaveTerminal(id)
      throw BrokerError.invalid(parameter: "asks", reason: "a dashboard is open, and asks")
    }
  }

  /// Returns the definition of the capability that a request asks for; `nil` unless the user has defined it.
  private func ownCapability(askedBy id: String, at peer: Peer) throws(BrokerError) -> Wire.OwnCapability? {
    let name = try entry(id, askedBy: peer).request.capability
    let settings = settings
    return settings.catalogue.own.first { $0.definition.name == name }
      .map { Wire.OwnCapability($0, in: settings.probes) }
  }

  private func answerHere(_ parameters: Methods.AnswerHere.Parameters, from peer: Peer) async throws {
    let id = try entry(parameters.id, askedBy: peer).request.id
    guard await !ledger.askChangedAgain([id]), ledger[id]?.isAskedHere == true, keeper.screenCount == 0,
      try control(by: .terminal).answer(id, onItsTerminal: parameters.verdict)
    else { throw BrokerError.noSuchRequest(parameters.id) }
  }

  /// Notes that a program no longer asks about a request on the program's own terminal.
  func leaveTerminal(_ id: Request.ID) {
    guard ledger.endAskingHere(id) else { return }
    // An outdated note about the terminal is no reason to let the request fail.
    try? store.setTerminal(id, nil)
  }

  /// Returns the request with this id. Throws an error unless the calling process itself is waiting for that request.
  private func entry(_ id: String, askedBy peer: Peer) throws(BrokerError) -> AskingLedger.Entry {
    guard let entry = ledger[Request.ID(id)], entry.peer.pid == peer.pid,
      let seen = witness.program(behind: peer, withChain: false),
      seen.peer == entry.seen.peer
    else { throw .noSuchRequest(id) }
    guard seen.isSame(as: entry.seen) else {
      ledger.withdraw([entry.request.id])
      throw .noSuchRequest(id)
    }
    return entry
  }
}
