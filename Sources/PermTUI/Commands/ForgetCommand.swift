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
