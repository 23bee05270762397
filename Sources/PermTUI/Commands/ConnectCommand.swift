import ArgumentParser
import PermModel

struct ConnectCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Set up another program to ask here.",
    discussion: """
      Shows what would change in the settings of claude, codex, deno, ssh, git or tmux, or in your own (notify: so that \
      you are told when something waits). Nothing is changed without --write or --remove. The old file is kept beside the \
      new one, under a dated name.

      For git, the settings are those of the repository in the current folder.

      Examples:
        permtui connect claude                   show what would change
        permtui connect claude --write           change it
        permtui connect claude --here --write    add the usual rules for the project in this folder
        permtui connect notify --write           be told when a request waits and you are not looking
        permtui connect claude --remove          take back what was added
      """)

  @Argument(
    help: "One of claude, codex, deno, ssh, git, tmux and notify.",
    completion: .list(ConnectableProgram.names))
  var program: String

  @Flag(help: "Instead, the usual rules for an agent in the current folder.")
  var here = false

  @Flag(help: "Make the change.")
  var write = false

  @Flag(help: "Take back what was added.")
  var remove = false

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard !write || !remove else { throw ValidationError("use one of --write and --remove") }
    guard let program = ConnectableProgram(rawValue: program) else {
      throw ValidationError("it is one of \(ConnectableProgram.names.joined(separator: ", "))")
    }
    guard !here || program.isAgent else { throw ValidationError("--here is for claude and codex") }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    guard let program = ConnectableProgram(rawValue: program) else { return .usage }
    let places = try ConnectionPlaces(context)
    let step: ConnectionWork.Step = remove ? .remove : write ? .write : .show
    if here { return try ProjectRules(program: program, places: places, context: context).run(step) }
    return try ConnectionWork(program: program, places: places, context: context).run(step)
  }
}

extension ConnectableProgram {
  static let names = allCases.map(\.rawValue)
}
