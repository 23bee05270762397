import ArgumentParser
import PermBroker
import PermModel

struct DashboardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dashboard",
    abstract: "Open the dashboard; this is what permtui alone does.",
    discussion: """
      Needs a terminal. Press ? in it for its keys. With --plain, and where TERM is dumb, it goes line by line: nothing \
      on the screen moves, and typed words take the place of keys.

      Examples:
        permtui
        permtui --plain
        permtui --store /tmp/try.sqlite
      """)

  @Flag(help: "Go line by line, for screen readers and simple terminals.")
  var plain = false

  @OptionGroup var shared: SharedOptions

  func run() throws {
    let launch = DashboardLaunch(noColor: shared.noColor, isPlain: plain)
    try launch.checkTerminal()
    let path = try StoreLocation.path(option: shared.store, environment: launch.environment)
    let store = try SQLiteStore(path: path, environment: launch.world)
    let configuration = UserConfiguration.read(.current)
    let (policy, policyProblems) = MachinePolicy.read(configuration.environment)
    let broker = Broker.Configuration(
      store: store, catalogue: configuration.catalogue, probes: configuration.environment, policy: policy)
    let place = try BrokerPlace(option: shared.store, environment: launch.environment)
    var session = DashboardSession(broker, at: place)
    session.settings = DashboardSettings(.current)
    let problems = (configuration.problems + policyProblems).joined(with: session.settings.problems)
    let code = try launch.show(session) {
      report(problems, to: session)
      store.keepUpInBackground(journalDays: configuration.journalDays)
    }
    if code != 0 { throw ExitCode(code) }
  }

  /// Says what is wrong in the configuration; what is right in it holds.
  private func report(_ problems: [ConfigurationProblem], to session: DashboardSession) {
    guard let first = problems.first else { return }
    let more = problems.count > 1 ? " (and \(problems.count - 1) more: permtui doctor)" : ""
    session.inbox.send(.reported(Report(text: "\(first)\(more)", isError: true)))
  }
}
