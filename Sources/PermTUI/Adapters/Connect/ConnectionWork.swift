import Machine
import PermModel

/// The work of `permtui connect` on the settings of one program.
struct ConnectionWork {
  enum Step { case show, write, remove }

  let program: ConnectableProgram
  let places: SettingsPaths
  let context: CommandContext
  /// Whether the work is on the command that starts an agent behind walls, instead of on its settings.
  var isAboutWalls = false

  private var console: Console { context.console }
  private var connection: any Connection {
    isAboutWalls ? WallsConnection(program, places) : program.connection(places)
  }
  private var command: String { "permtui connect \(program.rawValue)\(isAboutWalls ? " --walls" : "")" }
  private var words: ConnectionWords {
    isAboutWalls ? WallsConnection.words(of: program) : .usual(program.rawValue)
  }

  func run(_ step: Step) throws -> ExitStatus {
    var record = ConnectionRecord(inFolder: places.state)
    let changes =
      step == .remove
      ? try connection.removals(record).map { restoring($0, record) } : try connection.additions()
    let needed = changes.filter(\.isNeeded)
    if step == .show { summarize(needed) }
    try say(needed)
    switch step {
    case .show: advise()
    case .write:
      try checkWalls()
      try write(needed, &record)
    case .remove:
      guard !needed.isEmpty else {
        throw CommandError("\(words.missing), so there is nothing to remove", status: .denied)
      }
      try remove(needed, &record)
    }
    return .done
  }

  /// Returns the change back to what the file was before, if nobody has changed it since.
  private func restoring(_ change: SettingsChange, _ record: ConnectionRecord) -> SettingsChange {
    guard change.isNeeded, let original = record.original(of: change.file) else { return change }
    var change = change
    change.after = original
    return change
  }

  // MARK: Showing

  private func say(_ changes: [SettingsChange]) throws {
    for change in changes {
      try console.print(foreign: HomeFolder.shortened(change.file.name, home: places.home) + title(change))
      for line in change.lines { try console.print(text(line)) }
    }
  }

  private func title(_ change: SettingsChange) -> String {
    let link =
      change.file.isLink ? ", a link to \(HomeFolder.shortened(change.file.path, home: places.home))" : ""
    if change.after == nil { return "\(link): is removed" }
    return change.file.content == nil ? "\(link): a new file" : link
  }

  private func text(_ line: SettingsChange.Line) -> String {
    switch line {
    case .same(let text): "    \(console.visible(text))"
    case .added(let text): console.colors.colored("  + \(console.visible(text))", as: .allowed)
    case .removed(let text): console.colors.colored("  - \(console.visible(text))", as: .denied)
    case .omitted: console.colors.colored("    ...", as: .muted)
    }
  }

  /// Says how much would change, before all of it is shown.
  private func summarize(_ changes: [SettingsChange]) {
    guard !changes.isEmpty else {
      return console.note("\(words.already); '\(command) --remove' \(words.removes).")
    }
    for change in changes {
      let name = HomeFolder.shortened(change.file.name, home: places.home)
      let added = change.lines.count { if case .added = $0 { true } else { false } }
      let removed = change.lines.count { if case .removed = $0 { true } else { false } }
      console.note(console.visible("\(name): +\(added) -\(removed) lines"))
    }
    console.note("Nothing is changed yet. '\(command) --write' makes this change:")
  }

  /// Prints the advice and, as warnings, the rules that answer without asking here.
  private func advise() {
    for advice in connection.advice { console.note(console.visible(advice)) }
    offerWalls()
    guard !isAboutWalls else { return }
    for sentence in AgentRules(places).sentences(for: program) {
      console.note(console.colors.colored("! \(console.visible(sentence))", as: .attention))
    }
  }

  /// Says how an agent is started behind walls, what that gives and costs, and whether this machine can have them.
  private func offerWalls() {
    guard program.isAgent else { return }
    let name = program.rawValue
    console.note(
      """
      Behind walls: permtui run -- \(name). There it opens no file and reaches no host without your yes, whatever its own \
      rules say.
      It costs questions: what waits for your yes stands still, and sudo, bwrap and other sandboxes do not run there.
      """)
    if let objection = WallsTrial.objection(besides: places.program) {
      console.note(console.visible(objection.sentence))
    } else if !isAboutWalls {
      console.note(
        "'permtui connect \(name) --walls --write' makes that a command: \(WallsConnection.name(of: program))."
      )
    }
  }

  /// Throws an error if a command would be made that cannot work here.
  private func checkWalls() throws {
    guard isAboutWalls, let objection = WallsTrial.objection(besides: places.program) else { return }
    throw CommandError(
      console.visible(objection.what), advice: objection.advice.map { [console.visible($0)] } ?? [],
      status: .noWalls)
  }

  // MARK: Changing

  private func write(_ changes: [SettingsChange], _ record: inout ConnectionRecord) throws {
    let hadOurs = try !connection.named().isEmpty
    for change in changes { try record.note(change.made, in: change.file.path) }
    for (change, copy) in try apply(changes) { try record.note(change, copy: copy, hadOurs: hadOurs) }
    if !isAboutWalls { try recordLinks() }
    console.note(changes.isEmpty ? "\(words.already)." : "\(words.done).")
    advise()
  }

  /// Records the links by which an agent is started, except those that a project could have brought with it.
  private func recordLinks() throws {
    for link in links {
      if places.isInProject(link) {
        console.note(console.visible("\(link) is not recorded, because it is in this project."))
      } else {
        try KnownLinks.set(link, isKnown: true, inFolder: places.state)
      }
    }
  }

  private func remove(_ changes: [SettingsChange], _ record: inout ConnectionRecord) throws {
    try apply(changes)
    for change in changes { try record.note(nil, in: change.file.path) }
    if !isAboutWalls { try forgetLinks() }
    console.note("\(words.undone).")
  }

  private func forgetLinks() throws {
    for link in KnownLinks(inFolder: places.state).paths where link.lastPathPart == program.rawValue {
      try KnownLinks.set(link, isKnown: false, inFolder: places.state)
    }
  }

  /// Makes changes, and returns those of files that were there before, with the copies of these files.
  @discardableResult
  private func apply(_ changes: [SettingsChange]) throws -> [(SettingsChange, String)] {
    try changes.compactMap { change in
      guard let backup = try change.file.write(change.after, at: context.now) else { return nil }
      console.note(
        console.visible("The old file is kept as \(HomeFolder.shortened(backup, home: places.home))."))
      return (change, backup)
    }
  }

  /// The links by which an agent is started, each of whose versions has a file of its own. Only links in folders that
  /// others cannot change are recorded.
  private var links: [String] {
    guard program.isAgent else { return [] }
    return places.commands.map { "\($0)/\(program.rawValue)" }.filter { link in
      guard let status = FileStatus(link, followingLinks: false), status.kind == .link, status.isOwn,
        let target = Paths.resolved(link), FileStatus(target)?.kind == .file
      else { return false }
      return FileStatus(link.folderOfPath)?.isPrivateFolder() ?? false
    }
  }
}
