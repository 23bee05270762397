import ArgumentParser

/// A command that reads or changes something, prints the result, and ends. It never uses the full screen.
protocol ConsoleCommand: ParsableCommand {
  var shared: SharedOptions { get }

  /// - Throws: ``CommandError``, ``OutputError``, or an error of the model.
  func run(in context: CommandContext) throws -> ExitStatus
}

extension ConsoleCommand {
  func run() throws {
    let status = try run(in: .process(storeOption: shared.store, noColor: shared.noColor))
    if status != .done { throw status.exitCode }
  }
}

/// The options that every command accepts.
struct SharedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use this permissions file instead of PERMTUI_STORE or the usual one.", valueName: "path"),
    completion: .file(extensions: ["sqlite"]))
  var store: String?

  @Flag(name: .customLong("no-color"), help: "Print without colours, as NO_COLOR=1 does.")
  var noColor = false
}
