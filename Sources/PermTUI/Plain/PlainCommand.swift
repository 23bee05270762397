import PermModel

/// A line that the person typed while no alert was shown: a word of ``PlainWord`` and its operands.
struct PlainCommand {
  let words: [String]
  let listing: PlainListing
  private let names: PlainNames

  init(_ line: String, _ listing: PlainListing, _ names: PlainNames) {
    words = Self.words(line)
    self.listing = listing
    self.names = names
  }

  /// Returns the words of a line. A quoted string is one word, even if it contains blanks.
  static func words(_ line: String) -> [String] {
    var words: [String] = []
    for (place, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      if place.isMultiple(of: 2) {
        words += part.split(whereSeparator: \.isWhitespace).map { String($0) }
      } else {
        words.append(String(part))
      }
    }
    return words
  }

  /// The reason why a line cannot be carried out.
  struct Mistake: Error { var text: String }

  /// Carries out the command, and returns the lines to print immediately.
  func run(_ dashboard: inout PlainDashboard) -> [String] {
    guard let first = words.first else { return [listing.counts] }
    guard let word = PlainWord(rawValue: first) else { return [unknown(first)] }
    do {
      guard words.count == 1 || !word.operands.isEmpty else { throw usage(word) }
      return try run(word, &dashboard)
    } catch let mistake as Mistake {
      return [mistake.text]
    } catch let error as CommandError {
      let text = ([error.message] + error.advice).joined(separator: "; ")
      return ["Error: \(listing.desk.typesetter.visibleWords(text))."]
    } catch {
      let text = listing.desk.typesetter.visibleWords("\(error)")
      return ["Error: \(text)\(text.hasSuffix(".") ? "" : ".")"]
    }
  }

  private func unknown(_ word: String) -> String {
    if ["later", "mute", "only", "wider", "back", "ok", "confirm", "cancel"].contains(word) {
      return "Nothing is being asked now, so nothing was answered."
    }
    let meant = word.nearest(in: PlainWord.allCases.map(\.rawValue)).map { "Did you mean \($0)?" }
    return "There is no word \(visible(word)). \(meant ?? "Type help for the words.")"
  }

  func visible(_ text: String) -> String { listing.desk.visible(text) }
}

// MARK: - The words

extension PlainCommand {
  private func run(_ word: PlainWord, _ dashboard: inout PlainDashboard) throws -> [String] {
    switch word {
    case .status: return try status()
    case .find: return try find()
    case .waiting: return listing.waiting
    case .programs: return listing.programs
    case .desktop: return try desktop(&dashboard)
    case .operations: return listing.operations
    case .log: return listing.log(try count())
    case .day: dashboard.readDay()
    case .help: return try help()
    case .answer: dashboard.apply([try opening()])
    case .together: try together(&dashboard)
    case .allow, .deny: return try decide(word == .allow ? .allow : .deny, &dashboard)
    case .forget: try forget(&dashboard)
    case .undo, .redo:
      let step = word == .undo ? HistoryStep.undo : .redo
      let named = dashboard.together?.changes(for: step) ?? []
      dashboard.change { $0.takeStep(step, named: named) }
    case .panic:
      guard listing.desk.data.panicSince == nil else { return listing.panicChange }
      dashboard.change { $0.panic() }
    case .lift:
      guard listing.desk.data.panicSince != nil else { return ["There is no panic to lift."] }
      dashboard.change { $0.panic() }
    case .ask, .example:
      let capability = try capability(word)
      dashboard.change { word == .ask ? $0.askNow(capability) : $0.runExample(capability) }
    case .quit: dashboard.apply([.quit(isInterrupt: false)])
    }
    return []
  }

  func usage(_ word: PlainWord) -> Mistake { Mistake(text: "Type: \(word.usage)") }

  private func status() throws -> [String] {
    guard words.count > 1 else { return listing.status }
    if let capability = listing.desk.data.capability(words[1]) { return listing.about(capability) }
    let entries = listing.desk.desktop.ids.filter { $0.isOf(app: words[1]) }
    if !entries.isEmpty, programs(words[1]).isEmpty { return entries.map(listing.line) }
    return listing.about(try program(words[1]))
  }

  private func find() throws -> [String] {
    guard words.count > 1 else { throw usage(.find) }
    return listing.lines(with: words.dropFirst().joined(separator: " "))
  }

  private func count() throws -> Int {
    guard words.count > 1 else { return 20 }
    guard let count = Int(words[1]), count > 0 else { throw usage(.log) }
    return count
  }

  private func help() throws -> [String] {
    guard words.count > 1 else { return listing.help }
    let answers = PlainWord.answers.filter { $0.typed.split { !$0.isLetter }.contains(Substring(words[1])) }
      .map { "\($0.typed): \($0.help)" }
    guard let word = PlainWord(rawValue: words[1]) else {
      guard answers.isEmpty else { return ["While an alert waits:"] + answers }
      throw Mistake(text: unknown(words[1]))
    }
    return ["\(word.usage): \(word.help)"]
  }

  /// Returns the item that has the typed number in the list of waiting items.
  private func item(_ text: String, _ word: PlainWord) throws -> WaitingRow {
    guard let number = Int(text) else { throw usage(word) }
    let items = listing.desk.waitingItems
    guard number > 0, number <= items.count else {
      throw Mistake(text: "There is no number \(number) under waiting.")
    }
    return items[number - 1]
  }

  /// Returns the effect that opens the waiting item whose number was typed.
  private func opening() throws -> Effect {
    guard words.count == 2 else { throw usage(.answer) }
    let item = try item(words[1], .answer)
    if listing.desk.canPick(item) { return .pick([item.id], nil) }
    guard listing.desk.place(of: item) == .setAside else {
      throw Mistake(text: "It is in line, and its alert will come up.")
    }
    return .reopen(item.id)
  }

  /// Asks the person whether to give the same answer to all requests whose numbers were typed.
  private func together(_ dashboard: inout PlainDashboard) throws {
    let place = words.firstIndex(of: "for") ?? words.count
    guard place > 2, [0, 2].contains(words.count - place), let verdict = Verdict(rawValue: words[1]) else {
      throw usage(.together)
    }
    let items = try words[2..<place].map { try item($0, .together) }
    let lifetime = try words.dropFirst(place + 1).first.map(LifetimeArgument.parse)
    if let other = items.first(where: { $0.request == nil }) {
      throw Mistake(text: "\(visible(other.summary)): it is not a request, and must be answered on its own.")
    }
    let ids = Set(items.map(\.id))
    let requests = listing.desk.waitingItems.filter { ids.contains($0.id) }.map(\.id)
    dashboard.change { desk in
      desk.togetherLifetime = lifetime
      return [.pick(requests, verdict)]
    }
  }

  private func capability(_ word: PlainWord) throws -> CapabilityRow {
    guard words.count == 2 else { throw usage(word) }
    let known = listing.desk.data.capabilities
    guard let capability = known.first(where: { $0.id == words[1] }) else {
      let meant = words[1].nearest(in: known.map(\.id)).map { " Did you mean \($0)?" } ?? ""
      throw Mistake(text: "There is no capability \(visible(words[1])).\(meant)")
    }
    return capability
  }
}

// MARK: - Deciding

extension PlainCommand {
  /// Returns the programs with decisions that have the typed name.
  private func programs(_ text: String) -> [Subject] {
    listing.desk.data.programs.filter(ProgramName(typed: text).matches)
  }

  /// Returns the program with the typed name. Throws an error unless exactly one program with decisions matches it.
  private func program(_ text: String) throws -> Subject {
    let fitting = programs(text)
    guard fitting.count < 2 else {
      let names = fitting.map { visible("\($0.label)@\($0.path ?? "")") }.joined(separator: ", ")
      throw Mistake(text: "\(visible(text)) fits several programs; name one by its path: \(names)")
    }
    guard let program = fitting.first else { throw Mistake(text: "Nothing is decided for \(visible(text)).") }
    return program
  }

  /// Returns the capability with the typed name. A path can begin with `~/`, as lists show it.
  private func capability(_ text: String, isWhole: Bool) throws -> CapabilityReference {
    let typed = try TypedCapabilities(
      decided: [text], isWhole: isWhole, in: names.catalogue, home: HomeFolder.path)
    return typed.references[0]
  }

  private func decide(_ verdict: Verdict, _ dashboard: inout PlainDashboard) throws -> [String] {
    let word = verdict == .allow ? PlainWord.allow : .deny
    guard words.count > 1 else { return ["Nothing is being asked now. \(usage(word).text)"] }
    guard words.count == 3 || words.count == 5 && words[3] == "for" else { throw usage(word) }
    let reference = try capability(words[2], isWhole: verdict == .deny)
    let lifetime = words.count == 5 ? try LifetimeArgument.parse(words[4]) : reference.usualLifetime(verdict)
    try lifetime.checkDecidable(now: listing.desk.now.wall)
    guard !reference.atoms.isEmpty else {
      throw Mistake(text: "\(visible(reference.capability)) needs no permission.")
    }
    if verdict == .allow,
      let limit = reference.atoms.lazy.compactMap({ AllowLimit(on: $0) }).first(where: {
        $0.forbids(lifetime)
      })
    {
      throw Mistake(text: "It cannot be allowed for so long, because \(limit.reason).")
    }
    let subject = try names.program(ProgramName(typed: words[1]), verdict)
    let answer = Answer(verdict, atoms: reference.atoms, lifetime: lifetime)
    dashboard.apply([.decide(subject, capability: reference.capability, answer)])
    let words = lifetime.words(of: nil, listing.desk.short)
    let done = verdict == .allow ? "Allowed" : "Denied"
    let what = listing.desk.typesetter.visibleWords(names.catalogue.shown(reference))
    return ["\(done) \(what) for \(visible(subject.name)), \(words). The word undo takes it back."]
  }

  private func forget(_ dashboard: inout PlainDashboard) throws {
    guard words.count == 2 || words.count == 3 else { throw usage(.forget) }
    let program = try program(words[1])
    var rows = listing.desk.data.decisions(for: program)
    var scope = ForgetScope.program(program)
    if words.count == 3 {
      let reference = try capability(words[2], isWhole: true)
      rows = rows.filter {
        $0.capability == reference.capability && !reference.atoms.isDisjoint(with: $0.atoms)
      }
      scope = .decision(
        DecisionRow.ID(subject: program, capability: reference.capability, atoms: reference.atoms.sorted()))
    }
    guard !rows.isEmpty else { throw Mistake(text: "Nothing is decided about that.") }
    dashboard.change { $0.forget(rows, scope) }
  }
}
