import ArgumentParser
import Glibc
import Machine
import ProgramVersion

/// The program `permtui`.
///
/// The root command is synchronous because the dashboard runs its event loop on the main thread.
@main
struct PermTUI: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "permtui",
    abstract: "See and decide which programs may use what.",
    discussion: """
      Programs that ask are answered here, and "denied" is a reply to them. 'permtui run' makes any other program ask, and \
      there a no is a lock.

      Examples:
        permtui connect claude --write           let a coding agent ask here
        permtui                                  answer, look and decide; --plain: line by line
        permtui run -- npm install               start a program behind walls: it asks before it uses anything
        permtui allow backup photos --for 8h     decide before a program asks; deny and forget, too
        permtui log --day                        look back; undo takes the last change back

      'permtui demo' shows all of it on a throw-away store.
      """,
    version: Version.complete,
    groupedSubcommands: [
      CommandGroup(
        name: "Dashboard", subcommands: [DashboardCommand.self, DemoCommand.self, ServeCommand.self]),
      CommandGroup(
        name: "Ask and answer",
        subcommands: [
          RequestCommand.self, PendingCommand.self, AnswerCommand.self, WatchCommand.self,
        ]),
      CommandGroup(
        name: "Look",
        subcommands: [
          StatusCommand.self, ProgramsCommand.self, CapabilitiesCommand.self, WhyCommand.self,
          CommandsCommand.self, LogCommand.self,
        ]),
      CommandGroup(
        name: "Decide",
        subcommands: [
          AllowCommand.self, DenyCommand.self, ForgetCommand.self, UndoCommand.self, MuteCommand.self,
          UnmuteCommand.self, PanicCommand.self,
        ]),
      CommandGroup(name: "Other machines", subcommands: [MachineCommand.self, BridgeCommand.self]),
      CommandGroup(
        name: "Other programs",
        subcommands: [RunCommand.self, ConnectCommand.self, HookCommand.self, AskpassCommand.self]),
      CommandGroup(name: "Keep", subcommands: [ExportCommand.self, ImportCommand.self, DoctorCommand.self]),
    ],
    defaultSubcommand: DashboardCommand.self
  )

  static let _errorPrefix = "permtui: "

  @OptionGroup var shared: SharedOptions

  static func main() {
    StandardStream.fillGaps()
    // A file that would become too large is then an error with a message, as a full disk is.
    signal(SIGXFSZ, SIG_IGN)
    do {
      try run(ProgramArguments.given())
    } catch {
      ProgramExit(error).end()
    }
  }

  private static func run(_ arguments: [String]) throws {
    let isAskpass = Askpass.isCalled
    // The version is plain ASCII, so it needs neither the person's locale nor a parser.
    if arguments == ["--version"], !isAskpass { ProgramExit.answered(Version.complete).end() }
    setlocale(LC_CTYPE, "")
    // ssh passes on no arguments but the question, in whatever bytes it has.
    if isAskpass { return try AskpassCommand(asking: arguments).run() }
    // Without arguments, there is nothing to parse. Skipping the parser makes the first frame appear a tenth sooner.
    if let error = ProgramArguments.wrongPlaces() { throw error }
    guard !arguments.isEmpty else { return try DashboardCommand.open() }
    if let error = ProgramArguments.wrongEncoding() { throw error }
    if let script = BashCompletion.script(for: arguments) {
      return try FileSink(descriptor: STDOUT_FILENO).write(script + "\n")
    }
    var command = try parsed(arguments)
    try command.run()
  }

  /// Parses the arguments. A command is first parsed without the tree of all commands, which takes less time. Only if
  /// that fails is the tree needed, because usage errors and the help name the whole command.
  static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    if let error = ProgramArguments.emptyValue(in: arguments) { throw error }
    if arguments.first == "help", let error = ProgramArguments.unknownTopic(in: arguments, commands: names) {
      throw error
    }
    let rest = Array(arguments.dropFirst())
    if let simple = simple(arguments.first, rest) { return simple }
    if let name = arguments.first, let command = command(named: name), let parsed = try? command.parse(rest) {
      return parsed
    }
    do {
      return try parseAsRoot(arguments)
    } catch {
      throw explained(error, of: arguments)
    }
  }

  /// Reads, without the parser, the arguments of commands that programs run; `nil` if the parser is needed.
  private static func simple(_ command: String?, _ arguments: [String]) -> (any ParsableCommand)? {
    switch command {
    case "request": RequestCommand.simple(arguments)
    case "hook": HookCommand.simple(arguments)
    default: nil
    }
  }

  private static func explained(_ error: any Error, of arguments: [String]) -> any Error {
    guard exitCode(for: error) == .validationFailure else { return error }
    if let unknown = ProgramArguments.unknownCommand(in: arguments, commands: names) { return unknown }
    let name = ProgramArguments.firstWord(of: arguments) ?? ""
    guard let command = command(named: name) else { return error }
    return ProgramArguments.unknownOption(in: arguments, of: name, help: helpMessage(for: command)) ?? error
  }

  static var names: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

  private static func command(named name: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0.configuration.commandName == name }
  }
}

extension Environment {
  /// Sets a variable of this process. Must be called before another thread is started.
  static func set(_ name: String, to value: String) { setenv(name, value, 1) }
}
