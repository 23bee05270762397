import Machine
import PermBroker
import PermModel

/// The findings about the programs that are set up to ask here.
struct ConnectionCheckup {
  private(set) var findings: [StoreCheckup.Finding] = []
  private let places: SettingsPaths
  private let folders: [String]

  /// - Parameter folders: The folders in which agents have worked.
  init(_ places: SettingsPaths, folders: [String] = []) {
    self.places = places
    self.folders = folders
    var others: [String] = []
    for program in ConnectableProgram.allCases where !check(program) { others.append(program.rawValue) }
    for program in ConnectableProgram.allCases where program.isAgent { checkWalls(program) }
    guard !others.isEmpty else { return }
    add(
      .ok, "not connected: \(others.joined(separator: ", "))",
      "permtui connect NAME shows how to connect one.")
  }

  private mutating func add(_ level: StoreCheckup.Finding.Level, _ what: String, _ advice: String? = nil) {
    findings.append(StoreCheckup.Finding(level: level, what: what, advice: advice))
  }

  /// Adds the findings about a program. Returns whether it is connected, or might be.
  private mutating func check(_ program: ConnectableProgram) -> Bool {
    do throws(CommandError) {
      let connection = program.connection(places)
      if let deno = connection as? DenoConnection { return try check(deno) }
      let named = Set(try connection.named()).sorted { $0.path < $1.path }
      guard !named.isEmpty else { return false }
      for one in named { check(one, of: program, connection) }
      for sentence in AgentRules(places, folders: folders).sentences(for: program) { add(.warning, sentence) }
    } catch {
      add(.warning, "\(program.rawValue): \(error.message)", error.advice.first)
    }
    return true
  }

  private mutating func check(
    _ named: NamedProgram, of program: ConnectableProgram, _ connection: any Connection
  ) {
    let settings = HomeFolder.shortened(named.settings, home: places.home)
    let again = "permtui connect \(program.rawValue) --write corrects it."
    let resolved = Paths.resolved(named.path) ?? named.path
    if !named.path.hasPrefix("/") {
      add(.problem, "\(program.rawValue) runs \(named.path), which is no whole path (\(settings))", again)
    } else if let reason = TrustedExecutable.objection(to: resolved) {
      add(.problem, "\(program.rawValue) runs \(named.path), but \(reason) (\(settings))", again)
    } else if resolved.folderOfPath != places.program.folderOfPath {
      add(
        .warning, "\(program.rawValue) runs another permtui than this one: \(named.path) (\(settings))", again
      )
    } else if let reason = (connection as? GitConnection)?.otherHooks() {
      add(.warning, reason.message, reason.advice.first)
    } else if (try? connection.additions())?.contains(where: \.isNeeded) == true {
      add(.warning, "\(program.rawValue) is connected only in part (\(settings))", again)
    } else {
      add(.ok, "\(program.rawValue) asks here (\(settings))", program == .ssh ? Self.aboutAgent : nil)
    }
  }

  /// Adds the finding about the command that starts an agent behind walls, if there is one.
  private mutating func checkWalls(_ agent: ConnectableProgram) {
    let start = WallsConnection(agent, places)
    guard let named = try? start.named().first else { return }
    let path = HomeFolder.shortened(named.settings, home: places.home)
    if (try? start.additions())?.contains(where: \.isNeeded) == false {
      add(.ok, "\(path) starts \(agent.rawValue) behind walls")
    } else {
      add(
        .warning, "\(path) does not run this permtui, but \(named.path)",
        "permtui connect \(agent.rawValue) --walls --write corrects it.")
    }
  }

  /// The environment of a running ssh agent cannot be looked at, because the kernel hides it.
  private static let aboutAgent =
    "This counts for an ssh-agent that systemd has started since. Others refuse keys added with 'ssh-add -c', or ask "
    + "elsewhere."

  private mutating func check(_ deno: DenoConnection) throws(CommandError) -> Bool {
    guard let socket = try deno.namedSocket() else { return false }
    if socket == deno.socket {
      let settings = HomeFolder.shortened(deno.file.path, home: places.home)
      let address = BrokerAddress(folder: places.sockets)
      let hasBroker = (try? BrokerConnection(to: .control, among: [address])) != nil
      add(
        .ok, "deno asks here (\(settings))",
        hasBroker ? nil : "No broker is running. Until one is, Deno ends with exit status 87 at once.")
    } else {
      add(.warning, "deno asks at another socket: \(socket)", "permtui connect deno --write corrects it.")
    }
    return true
  }
}
