import PermModel

extension Desk {
  /// Returns a moment for lists and sentences: `14:03`, `Mon 09:12`.
  func short(_ moment: Timestamp) -> String { surroundings.clock.short(moment, now: now.wall) }

  /// Returns a moment with its seconds.
  func exact(_ moment: Timestamp) -> String { surroundings.clock.exact(moment, now: now.wall) }

  func visible(_ foreign: String) -> String { typesetter.visible(foreign) }

  /// Returns the first key of a command, for texts that name it.
  func key(_ command: Command) -> String { surroundings.keys.key(for: command)?.description ?? "" }
}

// MARK: - Authors

extension Desk {
  /// The origin of changes made here.
  private var origin: Origin { .dashboard(id: surroundings.dashboardID) }

  /// Returns the author of a decision, and whether that is news to the person.
  func author(of row: DecisionRow) -> (text: String, isNews: Bool) {
    if row.origin == origin { return ("you, here", false) }
    return (author(row.origin, isRecent: row.decidedAt > openedAt), marks.unseen.contains(row.id.news))
  }

  /// Returns the author of a change made elsewhere.
  ///
  /// - Parameter isRecent: Whether the change was made since this dashboard opened.
  func author(_ origin: Origin, isRecent: Bool) -> String {
    visible(origin.noun) + (isRecent ? ", not here" : "")
  }

  /// Returns the author of a decision as the end of a sentence: `by you, here`, `by a command, not here`.
  func byAuthor(of row: DecisionRow) -> String {
    if row.origin == origin { return "by you, here" }
    return visible(row.origin.phrase) + (row.decidedAt > openedAt ? ", not here" : "")
  }

  /// Returns a capability's name in lists. The mute of a program counts as everything.
  func name(ofCapability id: String) -> String {
    id == Atom.everything.capability ? "everything" : data.capability(id)?.title ?? id
  }

  /// Returns the names of the capabilities that some decisions allow, or deny.
  func capabilities(of rows: [DecisionRow], _ verdict: Verdict) -> String {
    var names: [String] = []
    for row in rows where row.verdict == verdict {
      let name = name(ofCapability: row.capability)
      if !names.contains(name) { names.append(name) }
    }
    return visible(names.joined(separator: ", "))
  }

  /// Returns the programs that may use a capability, or the reason why none can.
  func users(of capability: CapabilityRow) -> String {
    if let why = capability.unavailability { return visible(why.reason) }
    let allowed = data.decisions(about: capability.id, .allow)
    let denied = data.decisions(about: capability.id, .deny)
    let deniedWords = denied.isEmpty ? "" : "not \(names(denied, capability, .deny))"
    if allowed.isEmpty { return denied.isEmpty ? "" : "nobody; \(deniedWords)" }
    let allowedWords = allowed.count == 1 ? single(allowed, capability) : names(allowed, capability, .allow)
    return denied.isEmpty ? allowedWords : "\(allowedWords); \(deniedWords)"
  }

  /// Returns the first few programs, and the number of others.
  private func names(
    _ rows: some Collection<DecisionRow>, _ capability: CapabilityRow, _ verdict: Verdict
  ) -> String {
    var shown: [Subject] = []
    for row in rows where shown.count < 6 && shown.last != row.subject { shown.append(row.subject) }
    let more = data.count(of: capability.id, verdict) - shown.count
    let names = shown.map { visible($0.label) }.joined(separator: ", ")
    return more > 0 ? "\(names) and \(more) more" : names
  }

  /// Returns the only program that may use it, with the details: `tracker (when in use, to 14:04)`.
  private func single(_ rows: some Collection<DecisionRow>, _ capability: CapabilityRow) -> String {
    guard let row = rows.first else { return "" }
    var special: [String] = []
    if let widest = capability.choices.first, widest.atoms != Set(row.atoms) {
      special.append(visible(capability.words(for: row.atoms)))
    }
    if row.lifetime != .forever { special.append("to \(row.lifetime.end(short))") }
    let label = visible(row.subject.label)
    return special.isEmpty ? label : "\(label) (\(special.joined(separator: ", ")))"
  }
}
