import ArgumentParser

/// A command that reads or changes something, prints, and ends. It never uses the full screen.
protocol ConsoleCommand: ParsableCommand {
  var shared: SharedOptions { get }

  /// Runs the command.
  ///
  /// - Throws: ``CommandError``, ``OutputError``, or an error of the model.
  func run(in context: CommandContext) throws -> ExitStatus
}

extension ConsoleCommand {
  func run() throws {
    let status = try run(in: .process(storeOption: shared.store, noColor: shared.noColor))
    if status != .done { throw status.exitCode }
  }
}
