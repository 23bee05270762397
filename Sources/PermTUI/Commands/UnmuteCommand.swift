import ArgumentParser
import PermBroker
import PermModel

struct UnmuteCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "unmute",
    abstract: "Let a muted program ask again.",
    discussion: """
      The exit status is 1 if the program is not muted.

      Examples:
        permtui unmute nag
      """)

  @Argument(
    help: "The program's label, its path, or label@/path.", completion: .custom(Completion.programs))
  var program: String

  @OptionGroup var place: FolderOption
  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let name = ProgramName(typed: program, in: place.folder)
    let ended = try context.control().unmute(name.wholeText, in: name.folder)
    guard !ended.isEmpty else { throw CommandError("\(program) is not muted", status: .denied) }
    for mute in ended { try context.console.print("unmuted \(context.console.visible(mute.subject.name))") }
    return .done
  }
}
