import ArgumentParser
import PermBroker
import PermModel

struct ForgetCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Go back to undecided, so that the program asks again.",
    discussion: """
      Without a capability, all decisions about the program are forgotten. A capability without parts means everything \
      that was decided about it; one with a value means the decision with exactly this scope. All of it is one change.

      With --unused, lists the allows that no program used, and that were not made, in the last 90 days; with --yes, \
      forgets them. The exit status is 1 if there are none.

      Examples:
        permtui forget player files:read@~/music/
        permtui forget everyone files:read@~/.ssh/
        permtui forget tracker
        permtui forget backup photos
        permtui forget backup@/home/ana/bin/backup.sh photos:read
        permtui forget --unused --days 30
        permtui forget --unused --yes
      """)

  @Argument(
    help: "The program's label, its path, or label@/path.", completion: .custom(Completion.programs))
  var program: String?

  @Argument(
    help: ArgumentHelp("Capabilities, or some of their parts.", valueName: "capability"),
    completion: .custom(Completion.capabilities))
  var capabilities: [String] = []

  @OptionGroup var place: FolderOption

  @Flag(help: "Instead, list the allows that no program used lately.")
  var unused = false

  @Option(help: ArgumentHelp("With --unused: for how long; 90 days unless given.", valueName: "days"))
  var days: Int?

  @Flag(help: "With --unused: forget what it lists.")
  var yes = false

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard unused else {
      guard days == nil, !yes else { throw ValidationError("--days and --yes belong to --unused") }
      guard program != nil else { throw ValidationError("say for which program, or use --unused") }
      return
    }
    guard capabilities.isEmpty else { throw ValidationError("--unused is about all capabilities") }
    let range = UnusedAllows.range
    if let days, !range.contains(days) {
      throw ValidationError("--days is a number from \(range.lowerBound) to \(range.upperBound)")
    }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    if unused { return try forgetUnused(in: context) }
    guard let program else { return .usage }
    return try forget(ProgramName(typed: program, in: place.folder), in: context)
  }

  private func forgetUnused(in context: CommandContext) throws -> ExitStatus {
    let days = days ?? UnusedAllows.usualDays
    let name = program.map { ProgramName(typed: $0, in: place.folder) }
    let allows = UnusedAllows(of: name, days: days, context: context)
    return try yes ? allows.forget() : allows.list(command(days))
  }

  /// Returns the command that forgets what was listed.
  private func command(_ days: Int) -> String {
    let words = [program?.shellQuoted, place.folder.map { "--in \($0.shellQuoted)" }].compactMap(\.self)
    let limit = days == UnusedAllows.usualDays ? [] : ["--days \(days)"]
    return (["permtui forget"] + words + ["--unused"] + limit + ["--yes"]).joined(separator: " ")
  }

  private func forget(_ name: ProgramName, in context: CommandContext) throws -> ExitStatus {
    let typed = try TypedCapabilities(decided: capabilities, isWhole: true, in: context)
    let forgotten = try context.control().forget(name.wholeText, in: name.folder, requirements(typed))
    for note in typed.notes { context.console.note(context.console.visible(note)) }
    guard !forgotten.isEmpty else {
      let what = capabilities.isEmpty ? "" : " about \(typed.texts.joined(separator: " "))"
      throw CommandError("nothing was decided\(what) for \(program ?? "")", status: .denied)
    }
    for decision in forgotten {
      let label = context.console.visible(decision.subject.name)
      let what = context.console.visible(written: context.catalogue.shown(decision.atom))
      try context.console.print("forgot \(what) for \(label) (was \(decision.past))")
    }
    return .done
  }

  /// Returns the references to forget. The bare name of a capability stands for all decisions about it, whatever their
  /// scope.
  private func requirements(_ typed: TypedCapabilities) -> [CapabilityReference] {
    typed.references.map { reference in
      guard capabilities.contains(reference.capability) else { return reference }
      return CapabilityReference(capability: reference.capability, atoms: [])
    }
  }
}

/// The allows that no program has used for some days. They are forgotten together, as one change.
struct UnusedAllows {
  static let range = 1...36_500
  static let usualDays = Int(Decision.unusedAfter / 86_400)

  /// The program; `nil` for all programs.
  private let name: ProgramName?
  private let days: Int
  private let limit: Timestamp
  private let context: CommandContext

  init(of name: ProgramName?, days: Int, context: CommandContext) {
    self.name = name
    self.days = days
    self.context = context
    limit = context.now + .seconds(-Int64(days) * 86_400)
  }

  /// Lists the allows.
  ///
  /// - Parameter command: The command that forgets them.
  func list(_ command: String) throws -> ExitStatus {
    try print(find(in: context.store(.read)), "would forget")
    context.console.note("Nothing was changed. To forget: \(context.console.visible(command))")
    return .done
  }

  /// Forgets the allows, but for those that are used meanwhile. As with an import, a broker that runs is asked first
  /// whether this process may do that.
  func forget() throws -> ExitStatus {
    let store = try context.store(.change)
    let keys = try find(in: store).map(\.key)
    try context.broker()?.announceImport()
    try print(store.forget(keys, unusedSince: limit, by: .commandLine), "forgot")
    return .done
  }

  private func find(in store: any PermissionStore) throws -> [Decision] {
    var filter = DecisionFilter(verdict: .allow)
    if let name { filter.subjects = Set(try name.one(in: store)) }
    let unused = try store.decisions(filter).filter { $0.isUnused(since: limit) }
    guard !unused.isEmpty else {
      let time = days == 1 ? "day" : "\(days) days"
      throw CommandError("each allow was used, or made, in the last \(time)", status: .denied)
    }
    return unused
  }

  private func print(_ allows: [Decision], _ verb: String) throws {
    for allow in allows {
      let who = context.console.visible(allow.subject.name)
      let what = context.console.visible(written: context.catalogue.shown(allow.atom))
      let used = allow.lastUsed.map { "last used \($0.local)" } ?? "never used"
      try context.console.print("\(verb) \(what) for \(who) (allowed \(allow.decidedAt.local), \(used))")
    }
  }
}
