import PermModel

// Questions that end, or stay, at the program itself.

extension Broker {
  /// Withdraws requests that their program has answered by itself, or no longer needs answered.
  func withdraw(
    _ parameters: Methods.Withdraw.Parameters, from peer: Peer
  ) throws -> Methods.Withdraw.Reply {
    guard (parameters.id == nil) != (parameters.group == nil) else {
      throw BrokerError.invalid(parameter: "id", reason: "name either an id or a group")
    }
    guard let seen = witness.program(behind: peer, withChain: false),
      !seen.evidence.isUnreadable
    else { throw BrokerError.disconnected }
    let ids = ledger.withdraw(seen) { entry in
      if let id = parameters.id { return entry.request.id.text == id }
      return entry.group == parameters.group && (parameters.mark == nil || entry.mark == parameters.mark)
    }
    if let id = parameters.id, ids.isEmpty { throw BrokerError.noSuchRequest(id) }
    // The answerer notices the end in the store, and takes the alerts off.
    let end = RequestEnd.withdrawn(reason: RequestEnd.answeredInAgent)
    let closed = try store.close(ids, end, by: .broker)
    try noteUse(parameters, by: seen, of: closed.requests)
    return .init(count: closed.requests.count)
  }

  /// Records how a use ended, if it is known what it was. Of what was never asked about here, nothing is recorded.
  ///
  /// - Parameter withdrawn: The requests that were answered in the program, and then used there.
  private func noteUse(
    _ parameters: Methods.Withdraw.Parameters, by seen: IdentifiedProgram, of withdrawn: [PermModel.Request]
  ) throws {
    guard let group = parameters.group, let mark = parameters.mark else { return }
    let hasFailed = parameters.failed ?? false
    if let request = withdrawn.first { return try store.noteUse(of: request, hasFailed: hasFailed) }
    guard let request = ledger.takeUse(of: seen, group: group, mark: mark) else { return }
    let asked = JournalFilter(kinds: [.asked], request: request.id)
    if try !store.journal(asked, .newest(1)).isEmpty {
      return try store.noteUse(of: request, hasFailed: hasFailed)
    }
    // Uses of automatic answers are counted as these answers are.
    var use = AutomaticAnswer(
      .allow, subject: request.subject, capability: request.capability, atoms: request.atoms,
      reason: hasFailed ? JournalEntry.failed : JournalEntry.done)
    use.kind = .used
    answers.note(use)
  }

  /// Records that a program did not ask, because the question could not be understood.
  func noteUnasked(_ parameters: Methods.Unasked.Parameters, from peer: Peer) throws {
    let (_, subject) = try asker(
      at: peer, label: parameters.label, isInFolder: parameters.why.isOfAgent, withChain: false)
    answers.note(
      AutomaticAnswer(
        .deny, subject: subject, capability: nil, atoms: [], reason: parameters.why.journalReason))
  }
}
