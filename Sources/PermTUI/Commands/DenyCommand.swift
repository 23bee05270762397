import ArgumentParser
import PermModel

struct DenyCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "deny",
    abstract: "Deny a program something before it asks, or change what was decided.",
    discussion: """
      A capability without parts means all of its parts.

      Examples:
        permtui deny video-chat camera
        permtui deny tracker location:always --for 1w
      """)

  @OptionGroup var decision: DecisionOptions
  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    try decision.decide(.deny, context.catalogue.parseWhole(decision.capability), in: context)
  }
}
