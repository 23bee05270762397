import PermModel

/// The dashboard's data as lines of text, one fact per line. This type escapes untrusted text from other programs.
struct PlainListing {
  let desk: Desk

  private var data: DashboardData { desk.data }

  private func visible(_ text: String) -> String { desk.visible(text) }

  private func short(_ moment: Timestamp) -> String { desk.short(moment) }
}

// MARK: - The whole dashboard

extension PlainListing {
  var greeting: [String] {
    let demo =
      desk.context.isDemo ? ["Demo: a throw-away store. Your own decisions are not touched."] : []
    let panic = data.panicSince == nil ? [] : panicChange
    return ["PermTUI, line by line."] + demo + panic + [counts, "Type help for the words."] + firstSteps
  }

  /// A line that counts waiting items, allow decisions and denials, and says whether programs can reach the dashboard.
  var counts: String {
    let counts = "\(desk.waitingWords), \(data.allowedWords), \(data.deniedCount) denied."
    return ([counts] + reach + lateness).joined(separator: " ")
  }

  /// A line that says that changes are noticed late.
  var lateness: [String] {
    data.isLate ? ["Changes are noticed only once a second; permtui doctor says why."] : []
  }

  /// A line that says whether programs can reach the dashboard; empty while that is unknown.
  var reach: [String] { data.connection.isEmpty ? [] : ["Programs: \(data.connection)."] }

  /// A line that says what has become of the way in which programs reach the dashboard.
  var reachChange: [String] {
    reach.isEmpty ? ["The broker has gone: the next dashboard takes over."] : reach
  }

  private var firstSteps: [String] {
    guard data.decisions.isEmpty, desk.waitingItems.isEmpty, !desk.context.isDemo else { return [] }
    return ["Nothing is decided yet. In another terminal, try: \(FirstRequest.command)"]
  }

  var panicChange: [String] {
    guard let since = data.panicSince else { return ["The panic is over."] }
    return [
      "PANIC since \(short(since)): everything new is denied, every allow is suspended. The word lift ends it."
    ]
  }

  /// The counts, followed by every capability with its status. Those that this machine does not have share one line.
  var status: [String] {
    let panic = data.panicSince == nil ? [] : panicChange
    let folded = data.absent
    let shown = data.capabilities.filter { !folded.contains($0) }
    let names = folded.map { visible($0.id) }.joined(separator: ", ")
    return panic + [counts] + shown.map(line) + (folded.isEmpty ? [] : ["Not on this machine: \(names)."])
  }

  private func line(_ capability: CapabilityRow) -> String {
    let asked = capability.lastAsked.map { "last asked \(short($0))" } ?? ""
    let facts = [data.status(of: capability).words, desk.users(of: capability), asked].filter { !$0.isEmpty }
    return "\(visible(capability.title)): \(facts.joined(separator: "; "))"
  }

  var programs: [String] {
    let lines = data.knownPrograms.map { program in
      let summary = ProgramSummary(program, on: desk)
      let words = [
        summary.mute.map { "muted \($0)" } ?? "",
        Self.words("waits for", summary.awaited), Self.words("may use", summary.allowed),
        Self.words("suspended:", summary.suspended), Self.words("may not use", summary.denied),
      ]
      return "\(name(program)): \(words.filter { !$0.isEmpty }.joined(separator: "; "))"
    }
    let all = lines + desk.desktop.ids.map(line)
    return all.isEmpty ? ["There are no decisions for any program."] : all
  }

  private static func words(_ verb: String, _ names: String) -> String {
    names.isEmpty ? "" : "\(verb) \(names)"
  }

  private func name(_ program: Subject) -> String {
    "\(visible(program.framedName)) (\(visible(program.place)))"
  }
}

// MARK: - One capability, program or decision

extension PlainListing {
  func about(_ capability: CapabilityRow) -> [String] {
    var lines = [visible("\(capability.title): \(capability.summary)"), line(capability)]
    if let remedy = capability.unavailability?.remedy {
      lines.append("To change that: \(visible(remedy))")
    }
    lines += ValueGroup.entries(of: data.decisions(about: capability.id)).flatMap(about)
    lines += desk.desktop.ids(about: capability.id).map(line)
    lines += data.waiting(for: capability.id).map { "Waiting: \(visible($0.summary))" }
    if let example = capability.example { lines.append("Example: \(visible(example))") }
    return lines
  }

  func about(_ program: Subject) -> [String] {
    [name(program)] + ValueGroup.entries(of: data.decisions(for: program)).flatMap(about)
      + desk.desktopEntries(of: program).map(line)
  }

  private func about(_ entry: ValueGroup.Entry) -> [String] {
    switch entry {
    case .decision(let row): return about(row)
    case .group(let group):
      let label = visible(group.id.subject.label)
      return ["\(group.id.capability) for \(label): \(group.words). The word find shows those with a text."]
    }
  }

  private func about(_ row: DecisionRow) -> [String] {
    let decided = "decided \(short(row.decidedAt)) \(desk.byAuthor(of: row))"
    let used = row.lastUsed.map { ", last used \(short($0))" } ?? ""
    let note = row.note.map { ", note \"\(visible($0))\"" } ?? ""
    return ["\(desk.sentence(for: row)), \(decided)\(used)\(note)"]
  }
}

// MARK: - Waiting items and events

extension PlainListing {
  var waiting: [String] {
    let lines = desk.waitingItems.enumerated().map { index, item in
      let end = item.request?.givesUpAt.map { ", gives up \(short($0))" } ?? ""
      let reason = item.request?.reason.map { ", reason \"\(visible($0))\"" } ?? ""
      let warnings = item.warnings.map { ", ! \(visible($0))" }.joined()
      return
        "\(index + 1): \(visible(desk.summary(of: item)))\(warnings), \(desk.whereabouts(of: item)), asked "
        + "\(short(item.askedAt))\(end)\(reason)"
    }
    return lines.isEmpty ? ["Nothing waits."] : lines
  }

  /// A line that names the items that come up after the alert on the screen; empty if there are none.
  var next: [String] {
    let items = desk.waitingItems.filter { $0.id != desk.form?.alertID && desk.place(of: $0) == .inLine }
    let more = items.count > 3 ? " and \(items.count - 3) more" : ""
    let names = items.prefix(3).map { visible($0.summary) }.joined(separator: ", ")
    return items.isEmpty ? [] : ["Next: \(names)\(more)."]
  }

  var operations: [String] {
    let asked = desk.waitingItems.enumerated().map { place, item in
      "\(visible(desk.summary(of: item))) waits for your answer since \(short(item.askedAt)); "
        + desk.reason(for: item, shows: "the words answer \(place + 1) show")
    }
    let lines = data.operations.map { row in
      let verb = row.isHolding ? "holds" : "waits for"
      let why = row.why.isEmpty ? "" : "; \(visible(row.why))"
      return "\(visible(row.operation)) \(verb) \(visible(row.category)) since \(short(row.since))\(why)"
    }
    let all = asked + lines
    return all.isEmpty
      ? ["No question waits for an answer, and no operation holds or waits for anything."] : all
  }

  /// Returns all lines of the lists of capabilities, programs, waiting items and events that contain `text`, ignoring
  /// case.
  func lines(with text: String) -> [String] {
    let needles = [text, HomeFolder.shortened(text)].map { visible($0).lowercased() }
    let values = data.decisions.filter(\.isAboutValues).flatMap(about)
    let lists = [data.capabilities.map(line), programs, values, waiting, log(data.journal.count)]
    let found = lists.joined().filter { line in needles.contains { line.lowercased().contains($0) } }
    return found.isEmpty ? ["No line has that text."] : found
  }

  func log(_ count: Int) -> [String] {
    let lines = data.journal.prefix(count).reversed().map(line)
    return lines.isEmpty ? ["Nothing happened yet."] : lines
  }

  func line(_ row: JournalRow) -> String {
    let words = [row.kind, row.what].filter { !$0.isEmpty }.map(visible).joined(separator: " ")
    let program = row.program.isEmpty ? "" : " for \(visible(row.program))"
    let detail = row.detail.isEmpty ? "" : " (\(visible(row.detail)))"
    return "\(short(row.at)): \(words)\(program)\(detail)"
  }

  /// Returns lines that report the given changes, except changes made in this dashboard.
  func news(_ changes: [DecisionNews]) -> [String] {
    changes.filter { $0.origin != .dashboard(id: desk.context.dashboardID) }.flatMap { change in
      let head = "Not here, \(short(change.at)), \(visible(change.origin.phrase)):"
      let rows = data.decisions(for: change.id.subject).filter { $0.capability == change.id.capability }
      guard !change.isGone, !rows.isEmpty else {
        let title = visible(desk.name(ofCapability: change.id.capability))
        let verb = change.isGone ? "undecided again" : "changed"
        return ["\(head) \(title) for \(visible(change.id.subject.name)), \(verb)"]
      }
      return rows.map { "\(head) \(desk.sentence(for: $0))" }
    }
  }

  /// Returns a line for each decision that has expired but has not been removed from the data yet.
  func ended(by moment: Timestamp) -> [String] {
    data.ended(by: moment).map { "Ended: \(desk.sentence(for: $0))" }
  }

  func example(_ capability: String, _ outcome: ExampleOutcome) -> [String] {
    let title = visible(data.capability(capability)?.title ?? capability)
    switch outcome {
    case .failed(let reason): return ["The example of \(title) did not run: \(visible(reason))"]
    case .done(let found): return ["The example of \(title):"] + found.map(visible)
    }
  }
}

// MARK: - Help

extension PlainListing {
  var help: [String] {
    PlainWord.allCases.map { "\($0.usage): \($0.help)" }
      + ["A name with blanks is put in quotes. While an alert waits, help says what answers it."]
  }

  var answerHelp: [String] {
    PlainWord.answers.map { "\($0.typed): \($0.help)" } + ["An empty line repeats the alert."]
  }
}
