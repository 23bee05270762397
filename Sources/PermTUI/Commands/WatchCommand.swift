import ArgumentParser
import PermBroker
import PermModel

struct WatchCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print a line for every change, as it happens.",
    discussion: """
      Runs until it is interrupted, even while brokers come and go. A line on standard error says when it has begun; \
      no later change is missed.

      Examples:
        permtui watch
        permtui watch --json | jq -r 'select(.kind == "asked") | .program.label'
      """)

  @Flag(help: "Print one JSON document per line.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    guard let broker = try context.broker(.read) else {
      let changes = try context.store(.change).changes()
      sayBegun(context.console)
      try follow(changes, in: context)
      return .done
    }
    // The journal position is read before the watch is announced, so that no change after the announcement is missed.
    var position = try broker.journal(.all, .newest(1)).first?.id ?? 0
    let isElsewhere = try context.brokerPlace().isElsewhere
    do {
      try broker.watch(after: position)
      sayBegun(context.console)
      while true {
        let change = try broker.nextChange()
        position = change.position
        try print(change, in: context)
      }
    } catch BrokerError.disconnected where !isElsewhere {
      // The broker has gone away. The store still receives every change, so follow the store from now on.
      try follow(try context.store(.change).changes(since: position), in: context)
    }
    return .done
  }

  /// Announces that the watch has begun. Every change after this announcement is printed.
  private func sayBegun(_ console: Console) {
    console.note("permtui: watching, ^C ends it")
  }

  private func follow(_ changes: StoreChanges, in context: CommandContext) throws {
    try AsyncBridge.wait { for try await change in changes { try print(change, in: context) } }
  }

  private func print(_ change: StoreChange, in context: CommandContext) throws(OutputError) {
    for entry in change.entries {
      try context.console.print(
        json ? JSON(entry, context.catalogue).description : entry.sentence(in: context))
    }
  }
}
