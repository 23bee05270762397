import ArgumentParser
import PermBroker
import PermModel

struct WhyCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say which answer a program would get now, and why.",
    discussion: """
      Asks nobody and changes nothing. Also says which decision counts: a denial for everyone, a denial inside of what is \
      asked, or the decision with the narrowest scope. The exit status is that of the answer: 0 allowed, 1 denied, 3 a person would \
      be asked, 4 not available on this machine.

      Examples:
        permtui why backup photos
        permtui why tracker location:always --json
        permtui why player files:read@~/music/a.flac
        permtui why everyone files:read@~/.ssh/
      """)

  @Argument(
    help: "The program's label, its path, or label@/path.", completion: .custom(Completion.programs))
  var program: String

  @Argument(
    help: "A capability, or some of its parts; its usual part unless parts are given.",
    completion: .custom(Completion.capabilities))
  var capability: String

  @OptionGroup var place: FolderOption

  @Flag(help: "Print one JSON document.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let typed = try TypedCapabilities(decided: [capability], isWhole: false, in: context)
    let store = try context.store(.read)
    let subject = try ProgramName(typed: program, in: place.folder).asking(in: store)
    let (reference, facts) = found(typed, for: subject, in: store, context)
    let standing = try store.standing(of: subject, capability: reference.capability)
    let replaced = try store.decisions(
      DecisionFilter(label: subject.label, path: subject.path, capability: reference.capability)
    ).filter {
      $0.subject.folder?.path == subject.folder?.path && $0.subject.isReplaced
        && !subject.isSameProgram(as: $0.subject)
    }
    let outlook = AnswerOutlook(
      subject, reference, standing, facts: facts, replaced: subject.path == nil ? [] : replaced, in: context)
    for note in typed.notes { context.console.note(context.console.visible(note)) }
    if json {
      try context.console.print(outlook.json(subject, reference, context.catalogue))
    } else {
      try context.console.print(outlook.sentence(subject, typed.texts, context.console))
      for decision in outlook.decisions { try context.console.print("  " + decision.sentence(in: context)) }
    }
    return outlook.end?.exitStatus ?? .noAnswer
  }
  /// Returns the requirement as a request from this process would make it, with the facts about its values. If the
  /// meaning of a value is uncertain, returns the requirement as it was typed, without facts.
  private func found(
    _ typed: TypedCapabilities, for subject: Subject, in store: any PermissionStore, _ context: CommandContext
  ) -> (CapabilityReference, ValueFacts) {
    let asked = (try? TypedCapabilities(asked: [capability], in: context)) ?? typed
    let control = StoreControl(store, catalogue: context.catalogue, policy: context.readPolicy().policy)
    let found = AsyncBridge.wait {
      try? await control.resolved(asked.references[0], for: subject, home: context.probes.home)
    }
    return found ?? (typed.references[0], ValueFacts())
  }
}
