import ArgumentParser
import Glibc
import Machine
import PermBroker
import PermModel

struct ServeCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the broker that programs ask, without a screen.",
    discussion: """
      Requests wait for a dashboard, or for 'permtui answer' in any terminal. Ends on SIGTERM, SIGINT or SIGHUP; the \
      next broker finds the waiting requests again. Uses the sockets that systemd passes.

      Examples:
        permtui serve
        systemctl --user enable --now permtui.socket
      """)

  @OptionGroup var shared: SharedOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let place = try context.brokerPlace()
    // The signals are blocked before any other thread is started. New threads inherit the block, so no signal
    // interrupts them.
    var stops = sigset_t()
    sigemptyset(&stops)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&stops, number) }
    pthread_sigmask(SIG_BLOCK, &stops, nil)
    let store = try context.store(.change)
    let broker = Broker(context.brokerConfiguration(store))
    try broker.serve(ListeningSockets(lock: place.lock, candidates: place.addresses))
    (store as? SQLiteStore)?.keepUpInBackground(journalDays: context.configuration.journalDays)
    // The settings that the broker started with can be older.
    let configuration = LoadedConfiguration.read(.current)
    broker.use(configuration.brokerSettings)
    context.console.note(configuration.problems)
    context.console.note("Listening. Programs are answered by a dashboard, or with: permtui answer")
    let following = Task.quiet { await Self.follow(configuration, broker, context.console) }
    let listening = Task.quiet { await Self.keepListening(broker, context.console) }
    defer { for task in [following, listening] { task.cancel() } }
    var number: Int32 = 0
    while sigwait(&stops, &number) != 0 {}
    AsyncBridge.wait { await broker.stop() }
    return .done
  }

  /// Says when programs no longer find the broker, and when they find it again. Attempts in between are not reported.
  private static func keepListening(_ broker: Broker, _ console: Console) async {
    let isLost = Lock(false)
    await broker.keepListening { obstacle in
      let wasLost = isLost.withLock { isLost in
        defer { isLost = obstacle != nil }
        return isLost
      }
      guard wasLost == (obstacle == nil) else { return }
      console.note(obstacle.map { "permtui: not listening: \($0)" } ?? "permtui: listening again")
    }
  }

  /// Takes over each change of the configuration while the broker runs.
  private static func follow(_ first: LoadedConfiguration, _ broker: Broker, _ console: Console) async {
    await ConfigurationFollower().run(since: first) { loaded in
      broker.use(loaded.brokerSettings)
      console.note(loaded.problems)
      console.note(loaded.news)
    }
  }
}
