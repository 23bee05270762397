extension StoreRows {
  func overview(names: Int, at moment: Moment) throws -> Overview {
    var summaries: [String: CapabilitySummary] = [:]
    for tally in try tallies() { summaries[tally.capability] = tally }
    for waiting in try waitingRequests() {
      let name = waiting.request.capability
      summaries[name, default: CapabilitySummary(capability: name)].waiting += 1
    }
    summaries[Atom.everything.capability] = nil
    for (capability, corrected) in try withoutEnded(summaries, at: moment) {
      summaries[capability] = corrected
    }
    summaries = summaries.filter { !$0.value.isEmpty }
    for name in summaries.keys {
      summaries[name]?.firstAllowed = try first(names, .allow, of: name, at: moment)
      summaries[name]?.firstDenied = try first(names, .deny, of: name, at: moment)
    }
    return Overview(
      capabilities: summaries.values.sorted { $0.capability < $1.capability },
      suspension: try suspension(), position: try lastEntryID(),
      nextEnd: try nextEnd(after: moment.wall))
  }

  /// Removes from the counts the programs whose decisions are all over. They are few, as every change removes such
  /// decisions.
  private func withoutEnded(
    _ summaries: [String: CapabilitySummary], at moment: Moment
  ) throws -> [String: CapabilitySummary] {
    var ended: Set<Side> = []
    for decision in try decisionsThatMayBeOver(at: moment) where !decision.isInForce(at: moment) {
      ended.insert(
        Side(subject: decision.subject, capability: decision.atom.capability, verdict: decision.verdict))
    }
    var corrected: [String: CapabilitySummary] = [:]
    for side in ended {
      let filter = DecisionFilter(subject: side.subject, capability: side.capability)
      let all = try decisions(filter, order: .program, after: nil, limit: .max)
      guard !all.contains(where: { $0.verdict == side.verdict && $0.isInForce(at: moment) }) else { continue }
      var summary =
        corrected[side.capability] ?? summaries[side.capability]
        ?? CapabilitySummary(capability: side.capability)
      if side.verdict == .allow { summary.allowed -= 1 } else { summary.denied -= 1 }
      corrected[side.capability] = summary
    }
    corrected[Atom.everything.capability] = nil
    return corrected
  }

  /// Returns the first few decisions in force of one verdict.
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

  /// Returns a page of decisions in force. Skips those that are over, and reads on.
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

/// One program's allowed or denied side of one capability.
private struct Side: Hashable {
  var subject: Subject
  var capability: String
  var verdict: Verdict
}
