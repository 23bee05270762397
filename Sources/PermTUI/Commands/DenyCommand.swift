import ArgumentParser
import PermModel

struct DenyCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "deny",
    abstract: "Deny a program something before it asks, or change what was decided.",
    discussion: """
      A capability without parts means all of its parts. Several capabilities are one change, which 'permtui undo' takes \
      back as a whole. A denial also takes back what the program was allowed inside of what is denied. A denial for \
      everyone counts before all decisions about a single program.

      Examples:
        permtui deny video-chat camera
        permtui deny everyone files:read@~/.ssh/ files:read@~/.gnupg/
        permtui deny tracker location:always --for 1w
      """)

  @OptionGroup var decision: DecisionOptions
  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    try decision.decide(.deny, isWhole: true, in: context)
  }
}
