import Machine
import PermBroker
import PermModel
import ProgramVersion

/// The findings, good and bad, about everything that permtui needs on this machine.
struct InstallationCheckup {
  private(set) var findings: [StoreCheckup.Finding] = []
  private let context: CommandContext

  /// Examines the store, session, broker, terminal, configuration and capabilities without changing anything.
  init(path: String, context: CommandContext) {
    self.context = context
    add(.ok, "this is permtui \(Version.complete)")
    let store = StoreCheckup(path: path, now: context.now)
    findings += store.findings
    reportSilence(store)
    checkSession()
    checkWatching()
    checkBroker()
    checkTerminal()
    checkConfiguration()
    checkCapabilities()
    checkConnections(store.folders)
    checkWalls()
  }

  private mutating func add(_ level: StoreCheckup.Finding.Level, _ what: String, _ advice: String? = nil) {
    findings.append(StoreCheckup.Finding(level: level, what: what, advice: advice))
  }

  /// Reports a panic and mutes, because of which programs are denied without an alert.
  private mutating func reportSilence(_ store: StoreCheckup) {
    if let suspension = store.suspension {
      add(
        .warning, "a panic has been on since \(suspension.since.local): everything is denied",
        "To end it: permtui panic --lift")
    }
    let moment = context.world.now()
    for mute in store.mutes where mute.isInForce(at: moment) {
      add(
        .ok, "\(mute.subject.name) is muted \(mute.lifetime.words)",
        "To end it: permtui unmute \(mute.subject.label.shellQuoted)")
    }
  }

  private mutating func checkSession() {
    guard let folder = context.environment["XDG_RUNTIME_DIR"], !folder.isEmpty else {
      return add(
        .warning, "XDG_RUNTIME_DIR is not set: \"until logout\" means until the machine restarts",
        "Log in through systemd-logind, or set it to a folder of yours that goes when you log out.")
    }
    guard let status = FileStatus(folder), status.kind == .folder else {
      return add(.warning, "the runtime folder \(folder) is not there", "Correct XDG_RUNTIME_DIR.")
    }
    guard status.isOwn, !status.isOpenToOthers else {
      return add(
        .problem, "others can use the runtime folder \(folder)",
        "It must be yours, and closed to others: chmod 700 \(folder)")
    }
    add(.ok, "the runtime folder \(folder) is yours alone")
  }

  private mutating func checkWatching() {
    guard let shortage = InotifyInstance.findShortage() else {
      return add(.ok, "the kernel reports changes of files at once")
    }
    let setting = shortage.rawValue
    add(
      .warning, "your programs use up \(setting)\(shortage.limit.map { " (\($0))" } ?? "")",
      "Changes are noticed only once a second. End some programs, or: sudo sysctl \(setting)=\(shortage.advised)"
    )
  }

  private mutating func checkBroker() {
    do throws(CommandError) {
      findings += SocketCheckup(try context.brokerPlace()).findings
    } catch {
      add(.problem, error.message)
    }
  }

  /// Builds walls for a moment, and reports what is missing.
  private mutating func checkWalls() {
    guard let objection = WallsTrial.objection(besides: Paths.target(ofLink: "/proc/self/exe")) else {
      return add(.ok, "programs can be started behind walls: permtui run")
    }
    add(.notYet, objection.what, objection.advice)
  }

  private mutating func checkTerminal() {
    guard context.console.isTerminal else { return add(.ok, "the output goes to a file or a program") }
    let name = context.environment["TERM", default: ""]
    if let objection = Terminfo.objection(to: name) {
      return add(name == "dumb" ? .warning : .problem, objection.problem, objection.advice)
    }
    add(.ok, "the terminal is \(name), \(context.console.colors.areUsed ? "with" : "without") colours")
    if context.console.measure.width(of: Character("é")) == nil {
      let objection = CharacterLocale(environment: context.environment).objection
      add(.warning, objection.problem, objection.advice)
    }
  }

  private mutating func checkConfiguration() {
    let probes = context.probes
    let problems = context.configurationProblems()
    for problem in problems {
      add(.problem, "\(problem)", "Correct it. Until then, a running broker keeps what counted before.")
    }
    guard problems.isEmpty else { return }
    add(.ok, "\(probes.configFile) and \(probes.policyFile) have no mistakes (if they exist)")
  }

  private mutating func checkCapabilities() {
    let availabilities = context.availabilities()
    let missing = context.catalogue.capabilities.map(\.definition.name)
      .filter { availabilities[$0]?.isAvailable != true }
    let there = availabilities.count - missing.count
    add(
      .ok, "\(there) of \(availabilities.count) capabilities are available here",
      missing.isEmpty ? nil : "permtui capabilities \(missing.joined(separator: " ")) says what is missing.")
  }

  /// Reports the programs that are set up to ask here, and the rules that keep them from asking: their own, and those
  /// of the folders in which agents have worked.
  private mutating func checkConnections(_ folders: [ProgramFolder]) {
    guard let places = try? SettingsPaths(context) else { return }
    findings += ConnectionCheckup(places, folders: folders.filter { !$0.isReplaced }.map(\.path)).findings
  }
}

extension InotifyInstance.Shortage {
  /// A number that is enough for many programs side by side.
  fileprivate var advised: Int { self == .instances ? 1_024 : 524_288 }
}
