import Machine
import PermBroker
import PermModel

/// The usual rules for an agent in a project, as one change: it may write below the folder for eight hours, and run
/// commands that only look; nobody may read keys and browser profiles.
struct ProjectRules {
  let program: ConnectableProgram
  let places: SettingsPaths
  let context: CommandContext

  /// The note by which the rules are recognized later.
  static let note = "connect --here"
  private static let workday = LifetimeChoice.duration(.seconds(8 * 3600))
  private static let secrets = [
    ".ssh", ".gnupg", ".aws", ".mozilla", ".config/google-chrome", ".config/chromium",
    ".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera", "snap/firefox",
    "snap/chromium", ".var/app/org.mozilla.firefox", ".var/app/com.google.Chrome",
    ".var/app/org.chromium.Chromium", ".var/app/com.brave.Browser", ".var/app/com.microsoft.Edge",
  ]

  private var console: Console { context.console }

  func run(_ step: ConnectionWork.Step) throws -> ExitStatus {
    let folder = try folder()
    if step == .remove { return try remove(in: folder) }
    try sayFile()
    let planned = try missing(in: folder)
    if step == .show { summarize(planned) }
    for decision in planned { try say(decision) }
    sayOwnRules(in: folder)
    sayFolderOfLines()
    guard step == .write else { return .done }
    let kept = try context.control().decide(planned)
    if let words = kept.wordsTakenBack { console.note(words) }
    console.note(
      "\(kept.decisions.count) decisions were made in one change: 'permtui undo' takes all of them back.")
    return .done
  }

  /// Says how much would change, before all of it is shown.
  private func summarize(_ planned: [PlannedDecision]) {
    let command = "'permtui connect \(program.rawValue) --here --write'"
    console.note(
      planned.isEmpty
        ? "All of the usual rules are there already."
        : "Nothing is changed yet. \(command) makes these decisions in one change:")
  }

  /// Says when the allowed commands have an effect, if the agent does not say in which folder it runs a line.
  private func sayFolderOfLines() {
    guard program == .codex else { return }
    console.note(
      "Codex does not say in which folder it runs a line, so commands are allowed only in lines that say it themselves."
    )
    console.note(
      "This sentence in the project's AGENTS.md asks for them: "
        + "Begin each command with cd and the absolute path of its folder, followed by &&.")
  }

  // MARK: The folder

  /// Returns the folder of the project.
  private func folder() throws(CommandError) -> ProgramFolder {
    guard let here = places.here, let folder = ProgramFolder(at: here), let status = FileStatus(here) else {
      throw CommandError("the current folder is gone")
    }
    let home = Paths.resolved(places.home) ?? places.home
    guard here != "/", here != home, !home.hasPrefix(here + "/") else {
      throw CommandError("\(here) holds more than a project", advice: ["go to the project's folder first"])
    }
    guard status.isOwn, !status.isWritableByOthers else {
      throw CommandError("\(here) is not a folder that only you can change")
    }
    return folder
  }

  // MARK: The decisions

  private func decisions(in folder: ProgramFolder) throws -> [PlannedDecision] {
    let name = program.rawValue
    let agent = file.map { "\(name)@\($0)" } ?? name
    let below = try Scope.folder(AbsolutePath(folder.path))
    let forms = CommandForm.all.filter(\.onlyLooks).map { Atom("commands", "run", .form($0.name)) }
    let all = [
      PlannedDecision(
        .allow, agent, in: folder.path, about([Atom("files", "write", below)]), for: Self.workday,
        note: Self.note),
      PlannedDecision(.allow, agent, in: folder.path, about(forms), for: .forever, note: Self.note),
      PlannedDecision(
        .deny, Subject.everyone.label, about(try denied()), for: .forever, note: Self.note),
    ]
    return all.filter { !$0.requirements.isEmpty } + (try taken(over: agent, in: folder))
  }

  // MARK: The agent's own rules

  private func own(in folder: ProgramFolder) -> OwnRules {
    OwnRules(of: program, AgentRules(places), folder: folder.path)
  }

  /// Returns the decisions that say what the agent's own rules say. An allow inside of a denial would have no effect.
  private func taken(over agent: String, in folder: ProgramFolder) throws -> [PlannedDecision] {
    let rules = try own(in: folder).taken.compactMap { rule in
      try rule.reference.map { (rule.verdict, try reference($0)) }
    }
    let denied = rules.filter { $0.0 == .deny }.flatMap(\.1.atoms)
    return rules.filter { verdict, reference in
      verdict == .deny || !reference.atoms.contains { atom in denied.contains { $0.overlaps(atom) } }
    }.map { verdict, reference in
      PlannedDecision(
        verdict, agent, in: folder.path, [reference], for: reference.usualLifetime(verdict), note: Self.note)
    }
  }

  private func reference(_ text: String) throws -> CapabilityReference {
    let typed = try TypedCapabilities(decided: [text], isWhole: true, in: context)
    return typed.references.first ?? CapabilityReference(capability: "", atoms: [])
  }

  private func sayOwnRules(in folder: ProgramFolder) {
    let own = own(in: folder)
    for rule in own.left {
      let words = "\(rule.source): \(VisibleText.brief(rule.text)) is not taken over: \(rule.obstacle ?? "")"
      console.note(console.visible(written: words))
    }
    guard own.taken.contains(where: { $0.verdict == .allow }) else { return }
    console.note(
      "What \(program.rawValue) allows in its own settings is not asked about here until you take it out there."
    )
  }

  /// The folders that nobody may read, with and without links on the way to them.
  private func denied() throws -> [Atom] {
    let named = Self.secrets.map { "\(places.home)/\($0)" }
    let paths = Set(named + named.compactMap { Paths.resolved($0) }).sorted()
    return try paths.map { Atom("files", "read", .folder(try AbsolutePath($0))) }
  }

  private func about(_ atoms: [Atom]) -> [CapabilityReference] {
    atoms.map { CapabilityReference(capability: $0.capability, atoms: [$0]) }
  }

  /// The command in the person's folders that starts the agent; `nil` if there is none.
  private var command: String? {
    places.commands.lazy.map { "\($0)/\(program.rawValue)" }.first { FileStatus($0)?.kind == .file }
  }

  /// The agent's file, to which the command leads now; `nil` if there is none.
  private var file: String? { command.flatMap { Paths.resolved($0) } }

  /// Says for which file the rules are.
  ///
  /// - Throws: ``CommandError`` if the file lies in the project, because the rules would then be for whatever the
  ///   project brings with it.
  private func sayFile() throws(CommandError) {
    guard let command, let file else {
      return console.note(
        "\(program.rawValue) was not found, so the rules are for any program here that gives itself this name."
      )
    }
    guard !places.isInProject(command) else {
      throw CommandError(
        "the first \(program.rawValue) on the way is \(command), which lies in this project",
        advice: ["take the project's folder out of PATH"])
    }
    console.note(console.visible("The rules are for \(HomeFolder.shortened(file, home: places.home))."))
  }

  /// Returns the decisions that are still missing. The time for writing always starts again.
  private func missing(in folder: ProgramFolder) throws -> [PlannedDecision] {
    let standing = try context.store(.read).decisions()
    return try decisions(in: folder).compactMap { planned in
      let place = planned.folder == nil ? nil : folder
      let same = Set(standing.filter { $0.saysForever(planned, agent(in: place)) }.map(\.atom))
      var rest = planned
      rest.requirements = planned.requirements.filter { !$0.atoms.isSubset(of: same) }
      return rest.requirements.isEmpty ? nil : rest
    }
  }

  /// Returns the agent as it is now. After an update, it has another file.
  private func agent(in folder: ProgramFolder?) -> Subject {
    let subject = Subject(label: program.rawValue, path: file, file: nil, folder: folder)
    return file == nil ? subject : subject.withFileOfNow ?? subject
  }

  private func say(_ decision: PlannedDecision) throws {
    let place = decision.folder.map { " in \(HomeFolder.shortened($0, home: places.home))" } ?? ""
    let who = (ProgramName(decision.program).label ?? decision.program) + place
    let time =
      switch decision.lifetime {
      case .forever: "forever"
      case .session: "until log-out"
      default: "for eight hours"
      }
    let home = "@\(places.home)/"
    let texts = decision.requirements.flatMap { context.catalogue.texts($0) }
    for text in texts.map({ $0.replacing(home, with: "@~/") }) {
      try console.print(
        "\(decision.verdict.rawValue) \(console.visible(written: text)) for \(console.visible(who)) \(time)")
    }
  }

  // MARK: Taking back

  private func remove(in folder: ProgramFolder) throws -> ExitStatus {
    let kept = try context.store(.read).decisions(DecisionFilter(label: program.rawValue))
      .filter { $0.note == Self.note && $0.subject.folder?.path == folder.path }
    guard !kept.isEmpty else {
      throw CommandError("there are no such rules for \(program.rawValue) here", status: .denied)
    }
    let control = try context.control()
    for (subject, decisions) in Dictionary(grouping: kept, by: \.subject.path) {
      let name = subject.map { "\(program.rawValue)@\($0)" } ?? program.rawValue
      _ = try control.forget(name, in: folder.path, about(decisions.map(\.atom)))
    }
    console.note(
      "\(kept.count) decisions were forgotten. The denials for everyone stay; 'permtui forget everyone' takes them back."
    )
    return .done
  }
}

extension Decision {
  /// Whether this decision says forever what a planned one would say.
  fileprivate func saysForever(_ planned: PlannedDecision, _ agent: Subject) -> Bool {
    guard verdict == planned.verdict, lifetime == .forever, planned.lifetime == .forever else { return false }
    if planned.program == Subject.everyone.label { return subject.isEveryone }
    return subject == agent
  }
}

extension Atom {
  /// Whether a denial of this atom has an effect on another one.
  fileprivate func overlaps(_ other: Atom) -> Bool {
    capability == other.capability && scope.denied.overlaps(other.scope)
  }
}
