import ArgumentParser

/// A command that reads or changes something, prints, and ends. None of these touches the screen.
protocol ConsoleCommand: ParsableCommand {
  var shared: SharedOptions { get }

  /// Does the work.
  ///
  /// - Throws: ``CommandError``, ``OutputError``, or what the model throws.
  func run(in context: CommandContext) throws -> ExitStatus
}

extension ConsoleCommand {
  func run() throws {
    let status = try run(in: .process(storeOption: shared.store, noColor: shared.noColor))
    if status != .done { throw status.exitCode }
  }
}
