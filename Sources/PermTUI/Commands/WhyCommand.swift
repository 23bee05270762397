import ArgumentParser
import PermModel

struct WhyCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say which answer a program would get now, and why.",
    discussion: """
      Asks nobody and changes nothing. The exit status is that of the answer: 0 allowed, 1 denied, 3 a person would
      be asked, 4 not available on this machine.

      Examples:
        permtui why backup photos
        permtui why tracker location:always --json
      """)

  @Argument(
    help: "The program's label, its path, or label@/path.", completion: .custom(Completion.programs))
  var program: String

  @Argument(
    help: "A capability, or some of its parts; its usual part unless parts are given.",
    completion: .custom(Completion.capabilities))
  var capability: String

  @Flag(help: "Print one JSON document.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let reference = try context.catalogue.parse(capability)
    let store = try context.store(.read)
    let subject = try ProgramName(typed: program).asking(in: store)
    let standing = try store.standing(of: subject, capability: reference.capability)
    let replaced = try store.decisions(
      DecisionFilter(label: subject.label, path: subject.path, capability: reference.capability)
    ).filter { $0.subject.isReplaced && !subject.isSameProgram(as: $0.subject) }
    let outlook = AnswerOutlook(
      subject, reference, standing, replaced: subject.path == nil ? [] : replaced, in: context)
    if json {
      try context.console.print(outlook.json(subject, reference))
    } else {
      try context.console.print(foreign: outlook.sentence(subject, context.catalogue.words(reference)))
      for decision in outlook.decisions { try context.console.print(foreign: "  " + decision.sentence) }
    }
    return outlook.end?.exitStatus ?? .noAnswer
  }
}
