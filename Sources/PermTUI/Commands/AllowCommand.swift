import ArgumentParser
import PermModel

struct AllowCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "allow",
    abstract: "Allow a program something before it asks, or change what was decided.",
    discussion: """
      A capability without parts means its usual part: see 'permtui capabilities'.

      Examples:
        permtui allow backup photos
        permtui allow /usr/local/bin/khal calendar:events,reminders --for 8h
        permtui allow deploy.sh deploy:production --for 2026-12-24T18:00
      """)

  @OptionGroup var decision: DecisionOptions
  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let reference = try context.catalogue.parse(decision.capability)
    return try decision.decide(.allow, reference, in: context)
  }
}
