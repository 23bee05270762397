import Machine
import PermBroker
import PermModel

/// The paths on which the connections to other programs depend.
struct ConnectionPlaces: Sendable {
  var home: String
  /// The folder of the person's configuration, for example `~/.config`.
  var configuration: String
  /// The folders in which commands are looked up.
  var commands: [String]
  var claude: String
  var codex: String
  /// The folder of the store.
  var state: String
  /// The folder in which the broker's sockets are.
  var sockets: String
  /// The running `permtui`.
  var program: String
  /// The folder in which the command was started, without links; `nil` if it is gone.
  var here: String?
  /// The root of the file system, which tests replace.
  var root = ""

  init(_ context: CommandContext) throws(CommandError) {
    func folder(_ variable: String) -> String? {
      context.environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let home = folder("HOME") ?? Users.homeFolder else {
      throw CommandError("cannot tell which folder is your home folder", advice: ["set HOME"])
    }
    self.home = home
    configuration = folder("XDG_CONFIG_HOME") ?? "\(home)/.config"
    commands =
      ["\(home)/.local/bin"]
      + context.environment["PATH", default: ""].split(separator: ":").map(String.init).filter {
        $0.hasPrefix("/")
      }
    claude = folder("CLAUDE_CONFIG_DIR") ?? "\(home)/.claude"
    codex = folder("CODEX_HOME") ?? "\(home)/.codex"
    let store = try context.storePath()
    state = store.folderOfPath
    sockets = BrokerPlace(store: store, environment: context.environment).addresses.first?.folder ?? ""
    program = Paths.target(ofLink: "/proc/self/exe") ?? ""
    here = Paths.resolved(".")
  }
}
