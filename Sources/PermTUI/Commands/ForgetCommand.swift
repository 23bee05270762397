import ArgumentParser
import PermBroker
import PermModel

struct ForgetCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Go back to undecided, so that the program asks again.",
    discussion: """
      Without a capability, all decisions about the program are forgotten.

      Examples:
        permtui forget tracker
        permtui forget backup photos
        permtui forget backup@/home/ana/bin/backup.sh photos:read
      """)

  @Argument(
    help: "The program's label, its path, or label@/path.", completion: .custom(Completion.programs))
  var program: String

  @Argument(
    help: "A capability, or some of its parts.",
    completion: .custom(Completion.capabilities))
  var capability: String?

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    if let capability { _ = try context.catalogue.parseWhole(capability) }
    let forgotten = try context.control().forget(ProgramName(typed: program).wholeText, capability)
    guard !forgotten.isEmpty else {
      let what = capability.map { " about \($0)" } ?? ""
      throw CommandError("nothing was decided\(what) for \(program)", status: .denied)
    }
    for decision in forgotten {
      try context.console.print(
        foreign: "forgot \(decision.atom) for \(decision.subject.label) (was \(decision.verdict.past))")
    }
    return .done
  }
}
