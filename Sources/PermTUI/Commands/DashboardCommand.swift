import ArgumentParser
import PermBroker
import PermModel
import ProgramVersion

struct DashboardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dashboard",
    abstract: "Open the dashboard. This is what permtui does without a command.",
    discussion: """
      Needs a terminal. Press ? for the keys. With --plain, or if TERM is dumb, it works line by line: nothing on the \
      screen moves, and you type words instead of pressing keys.

      Examples:
        permtui
        permtui --plain
        permtui --store /tmp/try.sqlite
      """)

  @Flag(help: "Work line by line, for screen readers and simple terminals.")
  var plain = false

  @OptionGroup var shared: SharedOptions

  func run() throws { try Self.open(store: shared.store, noColor: shared.noColor, isPlain: plain) }

  /// Opens the dashboard, and returns when the dashboard has ended.
  ///
  /// - Throws: `ExitCode` if the process is to end with a status other than 0; an error if the terminal or store fails.
  static func open(store option: String? = nil, noColor: Bool = false, isPlain: Bool = false) throws {
    let launch = try DashboardLaunch(noColor: noColor, isPlain: isPlain)
    let context = CommandContext.process(storeOption: option)
    let path = try context.storePath()
    let store = try SQLiteStore(path: path, environment: context.world)
    var session = DashboardSession(context.brokerConfiguration(store), at: try context.brokerPlace())
    session.services.desktop = .find(context.environment)
    session.services.answerForOthers(
      MachineAccess(store: path, version: Version.current) { [world = context.world] in world.now().wall })
    let configuration = LoadedConfiguration.read(.current)
    session.settings = configuration.settings
    session.configuration = configuration
    let code = try launch.show(session) {
      if let report = Report(configuration.problems) { session.inbox.send(.reported(report)) }
      store.keepUpInBackground(journalDays: context.configuration.journalDays)
    }
    if code != 0 { throw ExitCode(code) }
  }
}
