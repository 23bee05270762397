import ArgumentParser
import PermBroker
import PermModel

struct PanicCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "panic",
    abstract: "Deny everything new, including questions, and suspend all allows, until the panic is lifted.",
    discussion: """
      Decisions are kept: they count again when the panic is lifted. Can be bound to a key of the desktop or of tmux. The \
      exit status of --lift is 1 if no panic is on. Programs behind walls can use no file and no connection until the \
      panic is lifted; --end ends them.

      Examples:
        permtui panic
        permtui panic --end
        permtui panic --lift
        tmux bind-key P run-shell 'permtui panic'
      """)

  @Flag(help: "End the panic.")
  var lift = false

  @Flag(help: "Also end all programs that were started with 'permtui run'.")
  var end = false

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if lift, end { throw ValidationError("use one of --lift and --end") }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    if end { return try endRuns(in: context) }
    let hasChanged = try context.control().setPanic(!lift)
    switch (lift, hasChanged) {
    case (false, true):
      try context.console.print("panic: everything new is denied, and all allows are suspended")
      context.console.note("A program that was told yes before may still be running.")
    case (false, false): context.console.note("A panic is on already.")
    case (true, true): try context.console.print("the panic is lifted")
    case (true, false): throw CommandError("no panic is on", status: .denied)
    }
    return .done
  }

  private func endRuns(in context: CommandContext) throws -> ExitStatus {
    let control = try context.control()
    guard let broker = control as? BrokerConnection else {
      _ = try control.setPanic(true)
      throw CommandError("no broker runs, so no program behind walls is known; the panic is on")
    }
    let count = try broker.endRuns()
    try context.console.print("panic: \(count) program\(count == 1 ? "" : "s") behind walls ended")
    return .done
  }
}
