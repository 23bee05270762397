import ArgumentParser
import PermModel

struct AllowCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "allow",
    abstract: "Allow a program something before it asks, or change what was decided.",
    discussion: """
      A capability without parts means its usual part: see 'permtui capabilities'. Several capabilities are one change, \
      which 'permtui undo' takes back as a whole.

      A path can begin with ~/ or ./, and its links are followed. With a slash at the end, it means the folder and \
      everything below it. To allow everything, write @*, as in files:read@*.

      Examples:
        permtui allow backup photos
        permtui allow player files:read@~/music/ network:connect@radio.example.org:443
        permtui allow /usr/local/bin/khal calendar:events,reminders --for 8h
        permtui allow deploy.sh deploy:production --for 2026-12-24T18:00
      """)

  @OptionGroup var decision: DecisionOptions
  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    try decision.decide(.allow, isWhole: false, in: context)
  }
}
