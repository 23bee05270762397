import Machine
import Operations
import PermBroker
import PermModel

/// A dashboard from start to end: it takes the terminal, shows its data, and hands the terminal back.
struct DashboardSession {
  let inbox: Inbox<Action>
  var services: DashboardServices
  var settings = DashboardSettings()
  var isDemo = false
  /// Whether the session only goes through everything that waits, and then ends.
  private(set) var isRound = false
  /// The configuration that is followed; `nil` if the dashboard has no configuration.
  var configuration: LoadedConfiguration?
  /// The link through which programs reach this dashboard; `nil` if programs cannot reach it.
  private(set) var link: BrokerLink?
}

extension DashboardSession {
  /// Creates a dashboard without a broker: only this process asks, and no other program can reach it.
  init(store: any PermissionStore, probes: ProbeEnvironment) {
    self.init(inbox: Inbox(), services: DashboardServices(store: store, probes: probes))
  }

  /// Creates a dashboard that shows the requests of this machine's programs. It acts as the broker of the
  /// store or, if a broker is already running, attaches to that broker.
  ///
  /// - Parameter isRound: Whether the session only goes through everything that waits. The alerts then stay with the
  ///   dashboards.
  init(_ configuration: Broker.Configuration, at place: BrokerLocation, isRound: Bool = false) {
    let random = configuration.store.environment.makeID()
    let id = Origin.dashboardID(pid: ProcessHandle.own, random: random)
    let steps = OperationSteps()
    var configuration = configuration
    configuration.queue = OperationQueue(quiet: "requests", observers: [steps])
    let link = BrokerLink(configuration, at: place, dashboard: id, onlyPicks: isRound)
    self.init(
      inbox: Inbox(), services: DashboardServices(link, steps: steps, dashboardID: id), isRound: isRound,
      link: link)
  }

  /// Runs the dashboard until the person leaves it or the terminal is gone. Must be called on the main thread.
  ///
  /// - Parameters:
  ///   - signals: The signals to handle. They must be created before any other thread is started.
  ///   - started: Called once the first frame is on the screen and the dashboard can take alerts.
  /// - Returns: The exit code of the process.
  /// - Throws: `TerminalError` if the terminal cannot be used, `StoreError` if the store cannot be read.
  func run(
    _ options: TerminalOptions, signals: Signals, started: @escaping () -> Void
  ) throws -> Int32 {
    var options = options
    options.colors = settings.colors
    options.usesMouse = settings.usesMouse
    options.background = Background(settings.theme, environment: Environment.variables)
    // The first frame waits only for the data that it shows. All other data is read once that frame is on the screen.
    let reading = try StoreSnapshot(services.store, names: namesShown(on: Size(ofWindow: options.output)))
    return try Terminal.use(options) { terminal in
      run(reading, on: terminal, signals, started) { desk, perform in
        var state = State(desk: desk, size: terminal.size)
        if isRound { state.screens = [.waiting] }
        return DashboardProgram(state, perform: perform)
      }
    }
  }

  /// Returns the number of decisions about each capability, and with each verdict, that a first frame can show: one for
  /// each row of the details, and the names in the list's own row, of which each takes some cells.
  private func namesShown(on size: Size?) -> Int {
    guard let size else { return StoreSnapshot.firstDecisions }
    let layout = ScreenLayout(
      size: size, bannerCount: 0, companion: .afterRows(services.catalogue.capabilities.count))
    return min(max(layout.paneRowCount, size.width / 8), StoreSnapshot.firstDecisions)
  }

  /// Runs the dashboard line by line. Everything else is as in ``run(_:signals:started:)``.
  func runPlain(
    _ options: TerminalOptions, signals: Signals, started: @escaping () -> Void
  ) throws -> Int32 {
    let reading = try StoreSnapshot(services.store)
    return try LineTerminal.use(options) { terminal in
      run(reading, on: terminal, signals, started) { desk, perform in
        PlainDashboard(desk, names: PlainNames({ services.catalogue }, services.store), perform: perform)
      }
    }
  }

  /// Runs a program on a terminal, together with the tasks that keep a dashboard up to date.
  ///
  /// - Parameter program: Creates the program from the desk and a function that carries out the program's effects.
  private func run<Program: TerminalApp, Device: LoopTerminal>(
    _ reading: StoreSnapshot, on terminal: Device, _ signals: Signals, _ started: @escaping () -> Void,
    program: (Desk, _ perform: @escaping (Effect) -> Void) -> Program
  ) -> Int32 where Program.Message == Action, Program.Picture == Device.Picture {
    let inbox = inbox
    let send: @Sendable (Action) -> Void = { inbox.send($0) }
    let data = DashboardData(reading, services)
    let feed = DashboardFeed(services, reading: reading, data: data, send: send)
    let effects = DashboardEffects(services, feed: feed, send: send)
    var tasks: [Task<Void, Never>] = []
    defer { end(effects, tasks) }
    // This runs before the cleanup above, so that the person has the terminal back before everything else ends.
    defer { terminal.close() }
    let program = program(firstDesk(terminal.measure, data)) { effects.perform($0) }
    let watched = KeyReporting(base: program) { [link] in link?.noteLook() }
    return EventLoop(watched, on: terminal, inbox: inbox, signals: signals).run {
      // Everything that starts threads comes after the first frame, because that frame would otherwise wait
      // for the threads.
      effects.start()
      tasks = follow(feed, since: reading.overview.position)
      started()
    }
  }

  /// Ends everything beside the event loop, without answering the open alert. Earlier decisions are stored first.
  private func end(_ effects: DashboardEffects, _ tasks: [Task<Void, Never>]) {
    AsyncBridge.wait { await effects.finish() }
    link?.leave()
    services.machines?.stop()
    effects.cancel()
    for task in tasks { task.cancel() }
    if let link { AsyncBridge.wait { await link.stop() } }
  }

  /// If the store is read-only, reports that; otherwise, withdraws requests that an earlier dashboard left behind.
  private func settle() {
    if let reason = services.store.readOnlyReason {
      inbox.send(.reported(Report(text: "The store cannot be changed: \(reason)", isError: true)))
      return
    }
    do {
      try services.store.withdrawAbandoned()
    } catch {
      inbox.send(.reported(Report(of: error)))
    }
  }

  private func firstDesk(_ measure: any CellMeasure, _ data: DashboardData) -> Desk {
    let context = DashboardContext(
      measure: measure, clock: ClockFormat { LocalTime($0) }, dashboardID: services.dashboardID,
      preferences: settings.preferences, isDemo: isDemo, booted: .ofBoot)
    let now = EventTime.now()
    var desk = Desk(context, at: now)
    if isRound { desk.round = AnswerRound() }
    desk.begin(with: data)
    return desk
  }

  /// Starts the tasks that keep the feed up to date with the store, the slot and the machine, and returns these tasks.
  private func follow(_ feed: DashboardFeed, since position: JournalEntry.ID) -> [Task<Void, Never>] {
    let services = services
    let stored = Task.quiet {
      await feed.reload()
      settle()
      do {
        for try await change in try services.store.changes(since: position) { await feed.take(change) }
      } catch {
        inbox.send(.reported(Report(of: error)))
      }
    }
    let waiting = Task.quiet {
      for await picture in services.slot.pictures { await feed.take(picture.alerts) }
    }
    let shown = Task.quiet { await followAlerts() }
    let available = Task.quiet { await followAvailabilities(feed) }
    let operations = Task.quiet { for await _ in services.steps.stream { await feed.takeOperations() } }
    let watched = Task.quiet {
      let instance = InotifyInstance.shared
      for await _ in instance.shortageChanges() { await feed.take(instance.shortage) }
    }
    let desktop = Task.quiet { [inbox] in
      guard let desktop = services.desktop else { return }
      await desktop.follow { inbox.send(.desktop($0)) }
    }
    guard let link else { return [stored, waiting, shown, available, operations, watched, desktop] }
    let linked = Task.quiet { for await state in link.states { await feed.take(state) } }
    let configured = Task.quiet { await followConfiguration(link.broker) }
    return [
      stored, waiting, shown, available, operations, watched, desktop, linked, configured,
      Task.quiet { await link.run() }, Task.quiet { await followMachines() },
    ]
  }

  /// Connects to the machines of the configuration, and reports what is new about them.
  private func followMachines() async {
    guard let machines = services.machines else { return }
    machines.use(configuration?.user.machines ?? [])
    for await news in machines.news {
      inbox.send(.reported(Report(text: news.text, isError: news.isError)))
    }
  }

  private func followAlerts() async {
    var last = DashboardPicture()
    for await _ in services.alerts.changes {
      let picture = services.alerts.picture
      guard picture != last else { continue }
      last = picture
      inbox.send(.pictured(picture))
    }
  }

  /// Follows the availability of the capabilities. Starts again whenever the settings change, because there might be
  /// other capabilities then.
  private func followAvailabilities(_ feed: DashboardFeed) async {
    var following: Task<Void, Never>?
    for await _ in services.settingsChanges() {
      // The first element does not announce a change.
      if following != nil { await feed.reload() }
      following?.cancel()
      following = Task.quiet { [services] in
        for await found in services.catalogue.availabilityUpdates(in: services.probes) {
          await feed.take(found)
        }
      }
    }
    following?.cancel()
  }

  /// Takes over each change of the configuration.
  private func followConfiguration(_ broker: Broker) async {
    guard let configuration else { return }
    // The settings that were read for the broker's start can be older.
    broker.use(configuration.brokerSettings)
    await ConfigurationFollower().run(since: configuration) { [inbox, machines = services.machines] loaded in
      // The keys change first: when a new capability is on the screen, the new keys work.
      inbox.send(.configured(loaded.settings.preferences))
      broker.use(loaded.brokerSettings)
      machines?.use(loaded.user.machines)
      inbox.send(.reported(Report(loaded.problems) ?? Report(text: loaded.news)))
    }
  }
}

extension BrokerLink.State {
  /// The state in the words that the dashboard's header shows; empty while it is not known who the broker is.
  var words: String {
    switch self {
    case .serving: "listening"
    case .attached: "second dashboard"
    case .lost: ""
    case .off: "not listening"
    }
  }
}

/// The launch of a dashboard on the terminal of this process.
struct DashboardLaunch {
  private let options: TerminalOptions
  /// Whether the dashboard works line by line.
  let isPlain: Bool
  /// The signals to handle. They are created before anything starts a thread.
  private let signals = Signals()

  /// Checks that there is a terminal. Called first, so that nothing is created for a dashboard that cannot be shown.
  ///
  /// - Parameter isPlain: Whether the dashboard is to work line by line; on a dumb terminal it always does.
  init(noColor: Bool, isPlain: Bool) throws(TerminalError) {
    var options = TerminalOptions(environment: Environment.variables)
    if noColor { options.usesColor = false }
    self.options = options
    self.isPlain = isPlain || options.type == "dumb"
    if self.isPlain { try LineTerminal.check(options) } else { try Terminal.check(options) }
  }

  /// Shows the dashboard until the person leaves it. Runs on the main thread, which owns the terminal.
  ///
  /// - Parameter started: Called once the dashboard can take alerts.
  /// - Returns: The exit code.
  /// - Throws: ``TerminalError`` if there is no usable terminal; errors of the store.
  func show(_ session: DashboardSession, started: @escaping () -> Void) throws -> Int32 {
    isPlain
      ? try session.runPlain(options, signals: signals, started: started)
      : try session.run(options, signals: signals, started: started)
  }
}
