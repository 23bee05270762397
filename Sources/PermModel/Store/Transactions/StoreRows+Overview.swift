extension StoreRows {
  func overview(names: Int, at moment: Moment) throws -> Overview {
    var summaries: [String: CapabilitySummary] = [:]
    for tally in try tallies() { summaries[tally.capability] = tally }
    let waiting = try waitingRequests()
    for stored in waiting {
      let name = stored.request.capability
      summaries[name, default: CapabilitySummary(capability: name)].waiting += 1
    }
    summaries[Atom.everything.capability] = nil
    try removeEnded(from: &summaries, at: moment)
    summaries = summaries.filter { !$0.value.isEmpty }
    for name in summaries.keys {
      summaries[name]?.firstAllowed = try first(names, .allow, of: name, at: moment)
      summaries[name]?.firstDenied = try first(names, .deny, of: name, at: moment)
    }
    return Overview(
      capabilities: summaries.values.sorted { $0.capability < $1.capability }, waiting: waiting,
      suspension: try suspension(), position: try lastEntryID(),
      nextEnd: try nextEnd(after: moment.wall))
  }

  /// Subtracts a program from the allowed or denied count if all its decisions with that verdict have ended. There are
  /// few such programs, because every change removes ended decisions.
  private func removeEnded(from summaries: inout [String: CapabilitySummary], at moment: Moment) throws {
    let ended = try decisionsThatMayBeOver(at: moment).filter { !$0.isInForce(at: moment) }
    let sides = ended.map {
      DecisionFilter(subject: $0.subject, capability: $0.atom.capability, verdict: $0.verdict)
    }
    for side in Set(sides) {
      let rest = try decisions(side, order: .program, after: nil, limit: 1, at: moment)
      guard rest.isEmpty, let capability = side.capability else { continue }
      if side.verdict == .allow {
        summaries[capability]?.allowed -= 1
      } else {
        summaries[capability]?.denied -= 1
      }
    }
  }

  /// Returns the first few decisions in force that have the given verdict on a capability.
  private func first(
    _ count: Int, _ verdict: Verdict, of capability: String, at moment: Moment
  ) throws -> [Decision] {
    let filter = DecisionFilter(capability: capability, verdict: verdict)
    return try decisions(filter, order: .capability, after: nil, limit: count, at: moment)
  }

  func programs(after last: Subject?, limit: Int, at moment: Moment) throws -> [ProgramSummary] {
    var ended: [Subject: [Decision]] = [:]
    for decision in try decisionsThatMayBeOver(at: moment) where !decision.isInForce(at: moment) {
      ended[decision.subject, default: []].append(decision)
    }
    return try programs(after: last, limit: limit).compactMap { program in
      var program = program
      for decision in ended[program.subject] ?? [] {
        if decision.verdict == .allow { program.allowed -= 1 } else { program.denied -= 1 }
      }
      return program.allowed + program.denied > 0 ? program : nil
    }
  }

  /// Returns a page of decisions in force. Skips all other decisions, and continues to read until the page is full.
  func decisions(
    _ filter: DecisionFilter, order: DecisionOrder, after last: Decision?, limit: Int, at moment: Moment
  ) throws -> [Decision] {
    var found: [Decision] = []
    var last = last
    while found.count < limit {
      let wanted = limit - found.count
      let page = try decisions(filter, order: order, after: last, limit: wanted)
      found += page.filter { $0.isInForce(at: moment) }
      last = page.last
      if page.count < wanted { break }
    }
    return found
  }
}

extension CapabilitySummary {
  fileprivate var isEmpty: Bool { allowed == 0 && denied == 0 && waiting == 0 && lastAsked == nil }
}
