import ArgumentParser
import PermBroker
import PermModel

struct MuteCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute",
    abstract: "Deny all new requests of a program for a while, without an alert.",
    discussion: """
      Earlier decisions still count. 'permtui programs' lists the programs that are muted.

      Examples:
        permtui mute nag
        permtui mute /usr/local/bin/nag --for 8h
        permtui mute claude --in ~/src/app --for session
      """)

  @Argument(
    help: "The program's label, its path, or label@/path.", completion: .custom(Completion.programs))
  var program: String

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "How long; an hour unless given: a duration such as 10m or 8h, session (until logout), a date, or forever.",
      valueName: "lifetime"),
    completion: .list(["10m", "1h", "8h", "session", "forever"]), transform: LifetimeArgument.parse)
  var lifetime: LifetimeChoice = Ruling.usualMute

  @OptionGroup var place: FolderOption
  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    try lifetime.checkDecidable(now: context.now)
    let name = ProgramName(typed: program, in: place.folder)
    let mute = try context.control().mute(name.wholeText, in: name.folder, for: lifetime)
    try context.console.print("muted \(context.console.visible(mute.subject.name)) \(mute.lifetime.words)")
    return .done
  }
}
