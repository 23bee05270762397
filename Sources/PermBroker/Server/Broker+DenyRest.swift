import PermModel

// The denial of everything in a run that nobody has decided, until the run ends.

extension Broker {
  /// Returns a closure that denies the rest of the run from which a call comes; `nil` if it comes from outside.
  func denyRest(of call: CallRouter.Call) -> (@Sendable () -> Void)? {
    guard let run = call.client.walled?.run else { return nil }
    return { [self] in denyRest(of: run) }
  }

  /// Denies everything in a run that nobody has decided, until it ends. What waits is denied now.
  func denyRest(of id: String) {
    guard runs.denyRest(of: id) else { return }
    let waiting = ledger.all.filter {
      $0.isBehindWalls && runs.isRestDenied(ofRunWith: $0.seen.evidence.process)
    }.map(\.request)
    for request in waiting {
      // The desk notices the end in the store, and takes the alert off.
      _ = try? store.close(request.id, .answered(Self.denial(of: request, at: desk.now)), by: .broker)
    }
  }

  private static func denial(of request: PermModel.Request, at moment: Timestamp) -> GivenAnswer {
    GivenAnswer(.deny, to: request.atoms, at: moment, reason: "the rest of its run is denied")
  }

  /// Returns the denial of a request in a run whose rest is denied; `nil` if it is decided, or to be asked about.
  func denialOfRest(_ entry: AskingLedger.Entry) throws -> Methods.Request.Reply? {
    let request = entry.request
    guard entry.isBehindWalls, runs.isRestDenied(ofRunWith: entry.seen.evidence.process) else { return nil }
    let judgement = try store.judgement(
      on: request.atoms, request.facts, by: judge(of: request.subject, request.capability))
    guard judgement.asks else { return nil }
    let denial = Self.denial(of: request, at: desk.now)
    answers.note(
      AutomaticAnswer(
        .deny, subject: request.subject, capability: request.capability, atoms: request.atoms,
        reason: denial.reason ?? ""))
    return .init(id: request.id, .answered(denial))
  }
}
