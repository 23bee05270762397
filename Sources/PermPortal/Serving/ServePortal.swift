import ArgumentParser
import CSystemd
import Machine
import PermBroker
import PermModel

/// Serves the portal until the session ends.
struct ServePortal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the portal. The session bus starts this by itself.")

  @Option(help: "The store with the decisions.") var store: String?

  func run() throws {
    let stops = Self.blockStops()
    let variables = Environment.variables
    guard let path = store.map(StoreLocation.absolute) ?? StoreLocation.path(environment: variables) else {
      throw ValidationError("The home folder is unknown, so there is no store. Name one with --store.")
    }
    let world = StoreEnvironment.linux(sessionFolder: variables["XDG_RUNTIME_DIR"].map { $0 + "/permtui" })
    let rulings = DecisionRulings(
      store: try SQLiteStore(path: path, environment: world),
      policy: MachinePolicy.read(UserConfiguration.read(.current).environment).policy)
    let addresses = BrokerLocation(store: path, environment: variables).addresses
    let inbox = BusLoop<PortalEvent>.Inbox()
    follow(rulings.store, inbox)
    Self.wait(for: stops, inbox)
    let bus = try SessionBus.open()
    let service = PortalService(
      bus: bus, inbox: inbox, questioner: Questioner(client: BrokerClient(addresses: addresses)),
      rulings: rulings, file: LeaseFile(besides: path))
    try service.start { Notes.note("ready") }
    if let end = Self.end(of: service, BusLoop(bus: bus, inbox: inbox)) { throw end }
  }

  /// Serves until the process is told to end, or until the bus goes away. Returns the reason in the latter case.
  private static func end(of service: PortalService, _ loop: BusLoop<PortalEvent>) -> PortalEnd? {
    let error = loop.run(service.take) {
      let next = service.wake()
      return service.failure == nil && !service.isStopped ? .proceed(next) : .end
    }
    let reason = service.failure?.message ?? error.map { "the session bus has gone: \($0)" }
    return reason.map { PortalEnd(reason: $0) }
  }

  /// Blocks the signals that end the process. Threads that are started later inherit that, so none of them is ended.
  private static func blockStops() -> sigset_t {
    var stops = sigset_t()
    sigemptyset(&stops)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&stops, number) }
    pthread_sigmask(SIG_BLOCK, &stops, nil)
    return stops
  }

  /// Waits for such a signal on a thread of its own, and tells the loop.
  private static func wait(for stops: sigset_t, _ inbox: BusLoop<PortalEvent>.Inbox) {
    BlockingThread.start {
      var (stops, number) = (stops, Int32(0))
      while sigwait(&stops, &number) != 0 {}
      inbox.add(.stopped)
    }
  }

  /// Tells of every change of the decisions.
  private func follow(_ store: any PermissionStore, _ inbox: BusLoop<PortalEvent>.Inbox) {
    Task.quiet {
      guard let changes = try? store.changes() else { return }
      do { for try await _ in changes { inbox.add(.decided) } } catch { inbox.add(.decided) }
    }
  }
}
