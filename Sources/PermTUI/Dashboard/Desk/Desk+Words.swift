import PermModel

extension Desk {
  /// Returns a time as lists and sentences show it: `14:03`, `Mon 09:12`.
  func short(_ moment: Timestamp) -> String { context.clock.short(moment, today: today) }

  /// Returns a time with its seconds.
  func exact(_ moment: Timestamp) -> String { context.clock.exact(moment, today: today) }

  func visible(_ foreign: String) -> String { typesetter.visible(foreign) }

  /// Returns a program's name as lists show it, with what distinguishes it from others of the same name.
  func name(of program: Subject) -> String { visible(data.name(of: program)) }

  /// Returns the name of a command's first key, for messages that mention the key; empty if the command has no key.
  func key(_ command: Command) -> String { context.keys.key(for: command)?.description ?? "" }
}

// MARK: - Values

extension Desk {
  /// Returns what a decision allows or denies, in words.
  func may(_ row: DecisionRow) -> String {
    typesetter.visibleWords(data.words(for: row) ?? "use")
  }

  /// Returns what a request asks for: the capability and, unless it asks for all of it, the parts with their values.
  /// The words are not escaped.
  func what(_ request: Request) -> String {
    guard let row = data.capability(request.capability), row.choices.first?.atoms != request.atoms,
      request.atoms != [Atom(request.capability)]
    else { return request.capability }
    return "\(request.capability): \(row.words(for: request.atoms.sorted()))"
  }

  /// Returns what a request asks for, as the rows of a list show it: `$ npm test`, `~/src/app.ts (write)`. The words are
  /// escaped.
  func valueFirst(_ request: Request) -> String {
    let atoms = request.atoms.sorted()
    guard !atoms.isEmpty, atoms.allSatisfy({ $0.scope != .any }) else { return visible(what(request)) }
    if case .command(let line) = atoms[0].scope, atoms.count == 1 { return "$ \(visible(line))" }
    let values = atoms.map { typesetter.visibleWords($0.scope.words) }.joined(separator: ", ")
    let parts = Set(atoms.map(\.name)).sorted().map { visible($0) }.joined(separator: ", ")
    return "\(values) (\(parts))"
  }

  /// Returns what a decision allows or denies, as the rows of a list show it: a command as it is typed.
  func valueFirst(_ row: DecisionRow) -> String {
    guard row.atoms.count == 1 else { return may(row) }
    switch row.atoms[0].scope {
    case .command(let line): return "$ \(visible(line))"
    case .lines(let lines): return "$ \(typesetter.visibleWords(Scope.lines(lines).text))"
    default: return may(row)
    }
  }

  /// Copies values to the clipboard of the terminal.
  mutating func copy(_ atoms: Set<Atom>) -> [Effect] {
    let text = atoms.sorted().compactMap { atom -> String? in
      switch atom.scope {
      case .any: nil
      case .command(let line): line
      default: atom.scope.text
      }
    }.joined(separator: "\n")
    guard !text.isEmpty else { return say("There is no value to copy here.") }
    return say("The terminal was asked to copy \(text.count) characters.") + [.copy(text)]
  }

  /// Returns one line that names a waiting item with the values that it asks for. The words are not escaped.
  func summary(of item: WaitingRow) -> String {
    guard let request = item.request else { return item.summary }
    let what = what(request)
    return what == request.capability
      ? item.summary : "\(VisibleText.framed(request.subject.label)): \(what)"
  }
}

// MARK: - Authors

extension Desk {
  /// The origin of changes made in this dashboard.
  var origin: Origin { .dashboard(id: context.dashboardID) }

  /// Returns the author of a decision, and whether the decision has a change from elsewhere that is still unseen.
  func author(of row: DecisionRow) -> (text: String, isNews: Bool) {
    if row.origin == origin { return ("you, here", false) }
    return (author(row.origin, isRecent: row.decidedAt > openedAt), marks.unseen.contains(row.id.news))
  }

  /// Returns the author of a change that was made elsewhere.
  ///
  /// - Parameter isRecent: Whether the change was made after this dashboard opened.
  func author(_ origin: Origin, isRecent: Bool) -> String {
    visible(origin.noun) + (isRecent ? ", not here" : "")
  }

  /// Returns the author of a decision, worded for the end of a sentence: `by you, here`, `by a command, not here`.
  func byAuthor(of row: DecisionRow) -> String {
    if row.origin == origin { return "by you, here" }
    return visible(row.origin.phrase) + (row.decidedAt > openedAt ? ", not here" : "")
  }

  /// Returns a capability's name as lists show it. A mute is a decision about all capabilities and is listed under the
  /// name `everything`.
  func name(ofCapability id: String) -> String {
    id == Atom.everything.capability ? Atom.wordForEverything : data.capability(id)?.title ?? id
  }

  /// Returns the names of the capabilities for which the given decisions have this verdict.
  func capabilities(of rows: [DecisionRow], _ verdict: Verdict) -> String {
    var names: [String] = []
    for row in rows where row.verdict == verdict {
      let name = name(ofCapability: row.capability)
      if !names.contains(name) { names.append(name) }
    }
    return visible(names.joined(separator: ", "))
  }

  /// Returns the programs that are allowed or denied a capability, or the reason why the capability is unavailable.
  ///
  /// - Parameter room: The number of cells for the words; if it is `nil`, the first few names are listed.
  func users(of capability: CapabilityRow, to room: Int? = nil) -> String {
    if let why = capability.unavailability { return visible(why.reason) }
    let isOff = data.isDeniedToEveryone(capability)
    let isRefused = !data.programs(.deny, capability.id, most: 1).isEmpty
    let refused = isRefused ? "not \(names(.deny, capability, to: room.map { $0 / 2 }))" : ""
    if isOff, refused.isEmpty { return "nobody, by the policy" }
    if isOff || data.programs(.allow, capability.id, most: 1).isEmpty {
      return refused.isEmpty ? "" : "nobody; \(refused)"
    }
    let head = data.panicSince == nil ? "" : "‖ "
    let tail = refused.isEmpty ? "" : "; \(refused)"
    let rest = room.map { $0 - typesetter.width(of: head + tail) }
    let only = onlyAllow(of: capability.id).map { single($0, capability, to: rest) }
    return head + (only ?? names(.allow, capability, to: rest)) + tail
  }

  /// Returns the decision that allows a capability to a program, if it is the only one.
  func onlyAllow(of capability: String) -> DecisionRow? {
    let allowed = data.decisions(about: capability, .allow).lazy.filter(data.isPermitted)
    return allowed.dropFirst().isEmpty ? allowed.first : nil
  }

  /// Returns the names of the first programs, and the number of further programs.
  private func names(_ verdict: Verdict, _ capability: CapabilityRow, to room: Int?) -> String {
    let shown = data.programs(verdict, capability.id, most: room.map { max(1, $0 / 4) } ?? 6)
    let count = max(shown.count, data.count(of: capability.id, verdict))
    let names = shown.map { name(of: $0) }
    // If only part of a name fits, it says more than the number of names.
    return room.map { $0 < 16 } == true
      ? names.joined(separator: ", ") : typesetter.list(names, of: count, to: room ?? .max)
  }

  /// Describes the only program that is allowed the capability: `tracker (when in use, to 14:04)`.
  ///
  /// - Parameter room: The number of cells for the words. If they need more, the parts are left out before the end.
  private func single(_ row: DecisionRow, _ capability: CapabilityRow, to room: Int?) -> String {
    let label = name(of: row.subject)
    func words(_ special: [String]) -> String {
      special.isEmpty ? label : "\(label) (\(special.joined(separator: ", ")))"
    }
    let end =
      row.lifetime == .forever
      ? [] : [left(of: row).map { "\($0) left" } ?? "to \(row.lifetime.end { short($0) })"]
    guard let widest = capability.choices.first, widest.atoms != Set(row.atoms) else { return words(end) }
    let whole = words([visible(capability.words(for: row.atoms))] + end)
    return end.isEmpty || typesetter.width(of: whole) <= room ?? .max ? whole : words(end)
  }
}
