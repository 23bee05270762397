import PermModel

// Questions that end, or stay, at the program itself.

extension Broker {
  /// Withdraws requests that their program has answered by itself, or no longer needs answered.
  func withdraw(
    _ parameters: Methods.Withdraw.Parameters, from call: CallRouter.Call
  ) throws -> Methods.Withdraw.Reply {
    guard (parameters.id == nil) != (parameters.group == nil) else {
      throw BrokerError.invalid(parameter: "id", reason: "name either an id or a group")
    }
    guard
      let seen = try asker(behindWalls: call)?.0
        ?? configuration.witness.program(behind: call.peer, withChain: false), !seen.evidence.isUnreadable
    else { throw BrokerError.disconnected }
    let ids = ledger.withdraw(seen) { entry in
      if let id = parameters.id { return entry.request.id.text == id }
      return entry.group == parameters.group && (parameters.mark == nil || entry.mark == parameters.mark)
    }
    if let id = parameters.id, ids.isEmpty { throw BrokerError.noSuchRequest(id) }
    // The desk notices the end in the store, and takes the alerts off.
    let end = RequestEnd.withdrawn(reason: RequestEnd.answeredInAgent)
    let closed = try store.close(ids, end, by: .broker)
    return .init(count: closed.requests.count)
  }

  /// Records that a program did not ask, because the question could not be understood.
  func noteUnasked(_ parameters: Methods.Unasked.Parameters, from call: CallRouter.Call) throws {
    let (_, subject) = try asker(
      of: call, label: parameters.label, isInFolder: parameters.why.isOfAgent)
    answers.note(
      AutomaticAnswer(
        .deny, subject: subject, capability: nil, atoms: [], reason: parameters.why.journalReason))
  }
}
