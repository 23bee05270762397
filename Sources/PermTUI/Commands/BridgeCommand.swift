import ArgumentParser
import PermBroker
import PermModel
import ProgramVersion

struct BridgeCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge",
    abstract: "Let a dashboard on another machine answer here, over ssh.",
    discussion: """
      Passes on calls from standard input to the broker, and its replies to standard output: the alerts, what waits, the \
      journal, answers, and the beginning of a panic. Everything else is refused. Starts 'permtui serve' if no broker \
      runs.

      On the machine that is answered for, the operator's key gets one line in ~/.ssh/authorized_keys:
        restrict,command="permtui bridge --as ana" ssh-ed25519 AAAA… ana@laptop

      Examples:
        permtui bridge --as ana
        permtui bridge --as tv --only watch
        permtui bridge --as ana --may rules
      """)

  enum Only: String, ExpressibleByArgument, CaseIterable { case watch }
  enum May: String, ExpressibleByArgument, CaseIterable { case rules }

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "The operator's name, which is noted with each answer. It counts only in a forced command of root's sshd.",
      valueName: "name"))
  var name: String?

  @Option(help: ArgumentHelp("Pass on what shows something, and no answer: watch.", valueName: "what"))
  var only: Only?

  @Option(
    help: ArgumentHelp("Also pass on decisions, undo, and the end of a panic: rules.", valueName: "what"))
  var may: May?

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let rule = try rule(wanted: context.environment[Self.wantedCommand])
    let name = try name.map(Self.operatorName)
    let place = try context.brokerPlace()
    let store = place.isElsewhere ? place.lock : try context.storePath()
    try BrokerStart(place: place, context: context).ensure()
    var relay = BridgeRelay(
      to: place, store: store, rule: rule, for: name, version: Version.current,
      now: { [world = context.world] in world.now().wall })
    do {
      try relay.run()
    } catch BrokerError.disconnected {
      throw CommandError("the broker went away")
    }
    return .done
  }

  /// The variable in which sshd tells a forced command what the client wanted to run.
  private static let wantedCommand = "SSH_ORIGINAL_COMMAND"

  /// Returns what is passed on. The client may only ask for less than the line for its key allows.
  func rule(wanted: String?) throws(CommandError) -> BridgeRule {
    guard only == nil || may == nil else {
      throw .usage("--only watch and --may rules exclude each other")
    }
    let words = wanted?.split(separator: " ") ?? []
    if only == .watch || words.suffix(2) == ["--only", "watch"] { return .watch }
    return may == .rules ? .rules : .answers
  }

  private static func operatorName(_ text: String) throws(CommandError) -> RemoteName {
    do {
      return try RemoteName(text)
    } catch {
      throw .usage("--as: \(error)")
    }
  }
}
