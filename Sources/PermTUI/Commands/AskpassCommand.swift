import ArgumentParser
import Machine
import PermBroker

struct AskpassCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "askpass",
    abstract: "Confirm for ssh that a key or a connection can be used. Called by ssh and its agent.",
    discussion: """
      ssh starts the program that SSH_ASKPASS names, so name 'permtui-askpass', which is a link to permtui: ssh passes \
      on no arguments. SSH_ASKPASS_REQUIRE=force makes ssh use it without a display. For keys that were added with \
      'ssh-add -c', both variables must be set in the environment in which ssh-agent starts. 'permtui connect ssh' \
      shows how.

      It asks about the use of a key, a shared connection and an unknown host, if a dashboard or 'permtui serve' is \
      running, and never on a terminal. It prints yes if the answer is yes, and no if a host was denied. In all other \
      cases it prints nothing and ends with 1, also after 110 seconds without an answer.

      It never reads a password. Questions for passwords are passed on to the program that PERMTUI_ASKPASS names.

      Examples:
        SSH_ASKPASS=~/.local/bin/permtui-askpass SSH_ASKPASS_REQUIRE=force ssh-agent bash
        ssh-add -c ~/.ssh/id_ed25519
      """)

  @Argument(
    parsing: .captureForPassthrough, help: ArgumentHelp("The question, as ssh words it.", valueName: "prompt")
  )
  var prompt: [String] = []

  init() {}

  /// - Parameter arguments: The arguments of a process that was started under the name of ``Askpass``.
  init(asking arguments: [String]) { prompt = arguments }

  func run() throws {
    let connections = InheritedConnection.all()
    let askpass = Askpass(context: .process(storeOption: nil), connections: connections)
    let status = askpass.answer(prompt)
    if status != .done { throw status.exitCode }
  }
}
