import Machine
import PermBroker
import PermModel

/// The paths on which the connections to other programs depend.
struct SettingsPaths: Sendable {
  var home: String
  /// The folder of the person's configuration, for example `~/.config`.
  var configuration: String
  /// The folder of the person's data, for example `~/.local/share`.
  var data: String
  /// The names of the desktop that runs, as in `XDG_CURRENT_DESKTOP`; empty if none does.
  var desktops: [String]
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
    func folder(_ variable: String) -> String? { Paths.folder(context.environment[variable]) }
    guard let home = folder("HOME") ?? Users.homeFolder else {
      throw CommandError("cannot tell which folder is your home folder", advice: ["set HOME"])
    }
    self.home = home
    configuration = folder("XDG_CONFIG_HOME") ?? "\(home)/.config"
    data = folder("XDG_DATA_HOME") ?? "\(home)/.local/share"
    desktops = context.environment["XDG_CURRENT_DESKTOP", default: ""].split(separator: ":").map(String.init)
    commands =
      ["\(home)/.local/bin"]
      + context.environment["PATH", default: ""].split(separator: ":").map(String.init).filter {
        $0.hasPrefix("/")
      }
    claude = folder("CLAUDE_CONFIG_DIR") ?? "\(home)/.claude"
    codex = folder("CODEX_HOME") ?? "\(home)/.codex"
    let store = try context.storePath()
    state = store.folderOfPath
    sockets = BrokerLocation(store: store, environment: context.environment).addresses.first?.folder ?? ""
    program = Paths.target(ofLink: "/proc/self/exe") ?? ""
    here = Paths.resolved(".")
  }

  /// The folder of the project in which the command was started: that of the outermost repository, or else the current
  /// folder; `nil` if that contains the home folder, and thus more than a project.
  var project: String? {
    let home = Paths.resolved(self.home) ?? self.home
    guard let here, here != "/", !"\(home)/".hasPrefix(here + "/") else { return nil }
    var (folder, project) = (here, here)
    while folder != "/", !"\(home)/".hasPrefix(folder + "/") {
      if FileStatus("\(folder)/.git", followingLinks: false) != nil { project = folder }
      folder = folder.folderOfPath
    }
    return project
  }

  /// Whether a file is in the project, by its path, by that of its folder, or where its links lead.
  func isInProject(_ path: String) -> Bool {
    guard let project else { return false }
    let paths = [path, Paths.resolved(path.folderOfPath), Paths.resolved(path)].compactMap(\.self)
    return paths.contains { "\($0)/".hasPrefix(project + "/") }
  }
}
