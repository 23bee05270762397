/// A program that can be set up to ask here.
enum ConnectableProgram: String, CaseIterable, Sendable {
  case claude, codex, deno, ssh, git, tmux, notify, portal

  /// Whether the program is a coding agent, which works in a folder.
  var isAgent: Bool { self == .claude || self == .codex }
}

/// The settings that make a program ask here.
protocol Connection: Sendable {
  /// Returns the changes that connect the program. If it is partly connected, only some of them are needed.
  func additions() throws(CommandError) -> [SettingsChange]

  /// Returns the changes that take back what was added, and nothing else.
  func removals(_ record: ConnectionRecord) throws(CommandError) -> [SettingsChange]

  /// The programs that the settings name as the ones to ask, with the settings' paths.
  func named() throws(CommandError) -> [NamedProgram]

  /// The sentences that a person reads before and after the connection is made.
  var advice: [String] { get }
}

/// The beginnings of the sentences about a connection, without full stops.
struct ConnectionWords {
  var already: String
  /// The words for `--remove`, after the command.
  var removes: String
  var missing: String
  var done: String
  var undone: String

  static func usual(_ name: String) -> ConnectionWords {
    ConnectionWords(
      already: "\(name) is already connected", removes: "disconnects it", missing: "\(name) is not connected",
      done: "\(name) asks here now", undone: "\(name) no longer asks here")
  }
}

/// A program that settings name as the one to ask.
struct NamedProgram: Hashable, Sendable {
  var path: String
  var settings: String
}

extension ConnectableProgram {
  /// Returns the connection to this program.
  func connection(_ places: SettingsPaths) -> any Connection {
    switch self {
    case .claude: AgentConnection.claude(places)
    case .codex: AgentConnection.codex(places)
    case .deno: DenoConnection(places)
    case .ssh: SSHConnection(places)
    case .git: GitConnection(places)
    case .tmux: TmuxConnection(places)
    case .portal: PortalConnection(places)
    case .notify: NotifyConnection(places)
    }
  }
}
