/// The rows of a store as plain values.
struct MemoryRows: StoreRows {
  private var decisions: [Decision.Key: Decision] = [:]
  private var waiting: [Request.ID: WaitingRequest] = [:]
  private var journal: [JournalEntry] = []
  private var lastAsked: [String: Timestamp] = [:]
  private var currentSuspension: Suspension?

  func decision(_ key: Decision.Key) -> Decision? { decisions[key] }

  func decisions(
    _ filter: DecisionFilter, order: DecisionOrder, after last: Decision?, limit: Int
  ) -> [Decision] {
    let place = last.map { order.place(of: $0) }
    let found = decisions.values
      .filter { filter.matches($0) }
      .map { (place: order.place(of: $0), decision: $0) }
      .filter { one in place.map { $0.lexicographicallyPrecedes(one.place) } ?? true }
      .sorted { $0.place.lexicographicallyPrecedes($1.place) }
    return found.prefix(limit).map(\.decision)
  }

  func decisionsThatMayBeOver(at moment: Moment) -> [Decision] {
    decisions.values.filter { !$0.isInForce(at: moment) }
  }

  func nextEnd(after moment: Timestamp) -> Timestamp? {
    decisions.values.compactMap { decision in
      if case .until(let deadline) = decision.lifetime, deadline.wall > moment { deadline.wall } else { nil }
    }.min()
  }

  func glance(at subject: Subject, capability: String) -> Glance {
    let label = Subject(label: subject.label)
    let found = decisions.values.filter {
      if $0.atom == .everything, !$0.subject.isUnbound { return true }
      return ($0.subject == label || subject.isSameProgram(as: $0.subject))
        && ($0.atom.capability == capability || $0.atom == .everything)
    }
    return Glance(decisions: found, suspension: currentSuspension)
  }

  func programs(after last: Subject?, limit: Int) -> [ProgramSummary] {
    Dictionary(grouping: decisions.values, by: \.subject)
      .filter { one in last.map { $0.place.lexicographicallyPrecedes(one.key.place) } ?? true }
      .sorted { $0.key.place.lexicographicallyPrecedes($1.key.place) }
      .prefix(limit)
      .map { subject, decisions in
        let allowed = decisions.filter { $0.verdict == .allow }.count
        return ProgramSummary(subject: subject, allowed: allowed, denied: decisions.count - allowed)
      }
  }

  func subjects(named name: String) -> [Subject] {
    let seen =
      decisions.keys.map(\.subject) + waiting.values.map(\.request.subject) + journal.compactMap(\.subject)
    return Set(seen.filter { $0.label == name || $0.path == name })
      .sorted { $0.place.lexicographicallyPrecedes($1.place) }
  }

  mutating func put(_ decision: Decision) { decisions[decision.key] = decision }
  mutating func remove(_ key: Decision.Key) { decisions[key] = nil }

  func tallies() -> [CapabilitySummary] {
    var tallies = lastAsked.reduce(into: [:]) { tallies, asked in
      tallies[asked.key] = CapabilitySummary(capability: asked.key, lastAsked: asked.value)
    }
    for (capability, decisions) in Dictionary(grouping: decisions.values, by: \.atom.capability) {
      let programs = Dictionary(grouping: decisions, by: \.verdict).mapValues { Set($0.map(\.subject)).count }
      tallies[capability, default: CapabilitySummary(capability: capability)].allowed = programs[.allow] ?? 0
      tallies[capability]?.denied = programs[.deny] ?? 0
    }
    return Array(tallies.values)
  }

  mutating func noteAsked(_ capability: String, at moment: Timestamp) { lastAsked[capability] = moment }

  func request(_ id: Request.ID) -> WaitingRequest? { waiting[id] }

  func waitingRequests() -> [WaitingRequest] {
    waiting.values.sorted { ($0.request.askedAt, $0.id.text) < ($1.request.askedAt, $1.id.text) }
  }

  mutating func put(_ request: WaitingRequest) { waiting[request.id] = request }
  mutating func removeRequest(_ id: Request.ID) { waiting[id] = nil }

  func suspension() -> Suspension? { currentSuspension }
  mutating func setSuspension(_ suspension: Suspension?) { currentSuspension = suspension }
}

extension MemoryRows {
  func lastEntryID() -> JournalEntry.ID { journal.last?.id ?? 0 }

  func entries(_ filter: JournalFilter, _ page: JournalPage) -> [JournalEntry] {
    let found = journal.lazy.filter { filter.matches($0) }
    return switch page {
    case .newest(let limit): Array(found.reversed().prefix(limit))
    case .older(let id, let limit): Array(found.reversed().filter { $0.id < id }.prefix(limit))
    case .newer(let id, let limit): Array(found.filter { $0.id > id }.prefix(limit))
    }
  }

  func entries(ofChange change: DecisionChange.ID) -> [JournalEntry] {
    journal.filter { $0.change == change }
  }

  func recentChanges(limit: Int) -> [RecentChange] {
    let undone = Set(journal.filter { $0.kind == .undone }.compactMap(\.change))
    let changes = Set(journal.compactMap(\.change)).sorted(by: >).prefix(limit)
    return changes.map { RecentChange(id: $0, isUndone: undone.contains($0)) }
  }

  func answers(to subject: Subject, capability: String) -> AnswerHistory {
    var history = AnswerHistory()
    for entry in journal
    where entry.kind == .answered && entry.origin != .terminal && entry.capability == capability
      && entry.subject.map(subject.isSameProgram) == true
    {
      if entry.verdict == .allow { history.allowed += 1 } else { history.denied += 1 }
      history.last = entry.at
    }
    return history
  }

  mutating func append(_ entry: JournalEntry) { journal.append(entry) }

  mutating func count(_ id: JournalEntry.ID, _ answer: AutomaticAnswer, at moment: Timestamp) {
    guard let index = journal.lastIndex(where: { $0.id == id }) else { return }
    journal[index].count += answer.count
    journal[index].atoms = answer.atoms
    journal[index].lastAt = moment
  }

  mutating func removeEntries(
    before moment: Timestamp, keepingChangesFrom change: DecisionChange.ID, limit: Int
  ) -> Int {
    let last = lastEntryID()
    let old = journal.lazy.filter { entry in
      entry.at < moment && entry.id != last && (entry.change.map { $0 < change } ?? true)
    }
    let gone = Set(old.prefix(limit).map(\.id))
    journal.removeAll { gone.contains($0.id) }
    return gone.count
  }
}
