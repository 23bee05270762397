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

      Examples:
        permtui forget player files:read@~/music/
        permtui forget everyone files:read@~/.ssh/
        permtui forget tracker
        permtui forget backup photos
        permtui forget backup@/home/ana/bin/backup.sh photos:read
      """)

  @Argument(
    help: "The program's label, its path, or label@/path.", completion: .custom(Completion.programs))
  var program: String

  @Argument(
    help: ArgumentHelp("Capabilities, or some of their parts.", valueName: "capability"),
    completion: .custom(Completion.capabilities))
  var capabilities: [String] = []

  @OptionGroup var place: FolderOption
  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let typed = try TypedCapabilities(decided: capabilities, isWhole: true, in: context)
    let name = ProgramName(typed: program, in: place.folder)
    let forgotten = try context.control().forget(name.wholeText, in: name.folder, requirements(typed))
    for note in typed.notes { context.console.note(context.console.visible(note)) }
    guard !forgotten.isEmpty else {
      let what = capabilities.isEmpty ? "" : " about \(typed.texts.joined(separator: " "))"
      throw CommandError("nothing was decided\(what) for \(program)", status: .denied)
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
