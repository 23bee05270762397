import ArgumentParser
import PermModel

struct ConnectCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Set up another program to ask here.",
    discussion: """
      Shows what would change in the settings of claude, codex, deno, ssh, git, tmux or the desktop's portal, or in your \
      own (notify). Nothing is changed without --write or --remove. The old file is kept beside the new one, under a \
      dated name.

      The changes that it makes:
        claude  hooks that run 'permtui hook', in ~/.claude/settings.json
        codex   the same, in ~/.codex/hooks.json; review it there with /hooks
        deno    the name of the broker's socket, in ~/.config/environment.d
        ssh     the helper that asks about keys, for ssh-agent, in ~/.config/systemd
        git     a pre-push hook, in the repository of the current folder
        tmux    prefix P for 'permtui answer' in a popup, in tmux.conf
        notify  a message when something waits, in ~/.config/permtui/config.toml
        portal  permtui-portal as the backend that asks about desktop apps

      With --here: writing below the current folder for eight hours, and commands that only look (for claude); for everyone, \
      denials of ~/.ssh and other secrets; and the agent's own rules, as far as they can be said here. Again after an update \
      of permtui, it adds what is new.

      With --walls: the command claude-walls or codex-walls in ~/.local/bin, which starts the agent with 'permtui run', so \
      that it opens no file and reaches no host without your yes. The agent's own name goes on to start it as always.

      Examples:
        permtui connect claude                   show what would change
        permtui connect claude --write           change it
        permtui connect claude --here --write    add the usual rules for the project in this folder
        permtui connect claude --walls --write   make the command claude-walls
        permtui connect notify --write           be told when a request waits and you are not looking
        permtui connect claude --remove          take back what was added
      """)

  @Argument(
    help: "One of claude, codex, deno, ssh, git, tmux, notify and portal.",
    completion: .list(ConnectableProgram.names))
  var program: String

  @Flag(help: "Instead, the usual rules for an agent in the current folder.")
  var here = false

  @Flag(help: "Instead, a command that starts an agent behind walls.")
  var walls = false

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
    guard !here || !walls else { throw ValidationError("use one of --here and --walls") }
    guard !walls || program.isAgent else { throw ValidationError("--walls is for claude and codex") }
    guard !here || program.isAgent else { throw ValidationError("--here is for claude and codex") }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    guard let program = ConnectableProgram(rawValue: program) else { return .usage }
    let places = try SettingsPaths(context)
    let step: ConnectionWork.Step = remove ? .remove : write ? .write : .show
    if here { return try ProjectRules(program: program, places: places, context: context).run(step) }
    let work = ConnectionWork(program: program, places: places, context: context, isAboutWalls: walls)
    return try work.run(step)
  }
}

extension ConnectableProgram {
  static let names = allCases.map(\.rawValue)
}
