import ArgumentParser
import Machine
import PermBroker

struct HookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hook",
    abstract: "Answer a coding agent that asks for permission. Claude Code and Codex run this.",
    discussion: """
      Reads one message of the agent from standard input. If the agent asks whether it may use a tool, the question \
      appears on the dashboard, and the answer goes to standard output in the agent's own form. If it says that a tool \
      was used or that its turn has ended, its questions are withdrawn, because they have been answered in the agent.

      Nothing is printed, and the agent asks in its own dialog, if no dashboard is open, if alerts are on hold, or if \
      the message is not understood. The exit status is 0 then, too. A decision that was made before counts even if no \
      dashboard is open, as long as a broker runs.

      The broker is found without any environment variable, because a project can set the variables of an agent: in \
      /run/user and in the home folder that the user database names. For a broker elsewhere, the settings of the agent \
      can name the folder of its sockets with --sockets.

      'permtui connect claude' and 'permtui connect codex' set up the agent to run this.

      Examples:
        permtui hook < message.json
        permtui hook --sockets /home/ana/.local/state/work/run < message.json
      """)

  @Option(
    help: ArgumentHelp(
      "The folder of the broker's sockets, if it is not the usual one.", valueName: "folder"),
    completion: .directory)
  var sockets: String?

  /// Reads the arguments that agents are set up to pass, without the parser, which takes longer than a known answer
  /// does.
  ///
  /// - Returns: The command that the parser would make; `nil` if the arguments contain anything else.
  static func simple(_ arguments: [String]) -> HookCommand? {
    var command = HookCommand()
    switch arguments.count {
    case 0: command.sockets = nil
    case 2 where arguments[0] == "--sockets" && arguments[1].hasPrefix("/"): command.sockets = arguments[1]
    default: return nil
    }
    return command
  }

  func validate() throws {
    if let sockets, !sockets.hasPrefix("/") {
      throw ValidationError("--sockets needs the whole path of a folder")
    }
  }

  func run() throws {
    guard !StandardStream.isTerminal(StandardStream.input) else {
      throw CommandError.usage(
        "hook reads a message of an agent from its standard input",
        advice: ["to set up an agent, run: permtui connect claude"])
    }
    let addresses = sockets.map { [BrokerAddress(folder: $0)] } ?? BrokerAddress.ofUser()
    let hook = Hook(client: AgentClient(addresses: addresses, output: StandardStream.output))
    guard let document = StandardStream.read(StandardStream.input, limit: HookMessage.longest + 1),
      let reply = hook.reply(to: document)
    else { return }
    // If the agent has gone away, there is nobody left to tell.
    try? FileSink(descriptor: StandardStream.output).write(reply + "\n")
  }
}
