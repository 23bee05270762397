import ArgumentParser
import PermBroker
import PermModel

struct WatchCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print a line for every change, as it happens.",
    discussion: """
      Goes on until it is interrupted, also while brokers come and go.

      Examples:
        permtui watch
        permtui watch --json | jq -r 'select(.kind == "asked") | .program.label'
      """)

  @Flag(help: "Print one JSON document a line.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    // Everybody's changes come together in the store, so there is nothing that only a broker could tell.
    let changes = try context.store(.change).changes()
    let ended = AsyncBridge.wait { await follow(changes, in: context.console) }
    try ended.get()
    return .done
  }

  private func follow(_ changes: StoreChanges, in console: Console) async -> Result<Void, any Error> {
    do {
      for try await change in changes {
        for entry in change.entries {
          try console.print(json ? JSON(entry).description : console.visible(JournalWords.line(entry)))
        }
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }
}
