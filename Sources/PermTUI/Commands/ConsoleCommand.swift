import ArgumentParser
import PermBroker
import PermModel

/// A command that reads or changes something, prints the result, and ends. It never uses the full screen.
protocol ConsoleCommand: ParsableCommand {
  var shared: SharedOptions { get }

  /// - Throws: ``CommandError``, ``OutputError``, or an error of the model.
  func run(in context: CommandContext) throws -> ExitStatus
}

extension ConsoleCommand {
  func run() throws {
    let status = try carryOut(in: .process(storeOption: shared.store, noColor: shared.noColor))
    if status != .done { throw status.exitCode }
  }

  /// Runs the command. If a capability is not known, tries again with those that count for the running broker. If it is
  /// not known there either, mentions a mistake in the configuration.
  func carryOut(in context: CommandContext) throws -> ExitStatus {
    do {
      return try run(in: context)
    } catch let error as CapabilityReferenceError {
      // Commands read the names of capabilities before they do anything else, so nothing is done twice.
      guard let current = context.withCapabilitiesOfBroker() else { throw Self.explained(error, in: context) }
      do {
        return try run(in: current)
      } catch {
        throw Self.explained(error, in: context)
      }
    } catch {
      throw Self.explained(error, in: context)
    }
  }

  private static func explained(_ error: any Error, in context: CommandContext) -> any Error {
    guard isAboutUnknownCapability(error), !context.configuration.problems.isEmpty else { return error }
    return CommandError.usage(
      "\(error)",
      advice: [
        "your configuration has a mistake, so capabilities may be missing: permtui capabilities --check"
      ])
  }

  private static func isAboutUnknownCapability(_ error: any Error) -> Bool {
    switch error {
    case CapabilityReferenceError.unknownCapability, BrokerError.unknownCapability: true
    default: false
    }
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
