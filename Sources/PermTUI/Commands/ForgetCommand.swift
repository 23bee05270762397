import ArgumentParser
import PermModel

struct ForgetCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Go back to undecided, so that the program asks again.",
    discussion: """
      Without a capability, everything that was decided for the program is forgotten.

      Examples:
        permtui forget tracker
        permtui forget backup photos
        permtui forget backup@/home/ana/bin/backup.sh photos:read
      """)

  @Argument(
    help: "The program's label, its path, or label@/path.", completion: .custom(Completion.programs))
  var program: String

  @Argument(
    help: "A capability, with parts if wanted; all of it without parts.",
    completion: .custom(Completion.capabilities))
  var capability: String?

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let reference = try capability.map { try context.catalogue.parseWhole($0) }
    let store = try context.store(.change)
    let subject = try Programs(store: store, measure: context.console.measure)
      .required(ProgramArgument(program))
    let filter = DecisionFilter(label: subject.label, path: subject.path, atoms: reference?.atoms)
    let forgotten = try store.forget(filter, by: .commandLine)
    guard !forgotten.isEmpty else {
      let what = capability.map { " about \($0)" } ?? ""
      throw CommandError("nothing was decided\(what) for \(subject.label)", status: .denied)
    }
    for decision in forgotten {
      try context.console.print(
        context.console.visible("forgot \(decision.atom) for \(subject.label) (was \(decision.verdict.past))")
      )
    }
    return .done
  }
}
