import ArgumentParser
import Machine
import PermBroker
import PermModel

/// Serves the portal until the session ends.
struct ServePortal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the portal. The session bus starts this by itself.")

  @Option(help: "The store with the decisions.") var store: String?

  func run() throws {
    let variables = Environment.variables
    guard let path = store.map(StoreLocation.absolute) ?? StoreLocation.path(environment: variables) else {
      throw ValidationError("The home folder is unknown, so there is no store. Name one with --store.")
    }
    let world = StoreEnvironment.linux(sessionFolder: variables["XDG_RUNTIME_DIR"].map { $0 + "/permtui" })
    let rulings = DecisionRulings(
      store: try SQLiteStore(path: path, environment: world),
      policy: MachinePolicy.read(UserConfiguration.read(.current).environment).policy)
    let addresses = BrokerPlace(store: path, environment: variables).addresses
    let inbox = BusLoop<PortalEvent>.Inbox()
    follow(rulings.store, inbox)
    let bus = try SessionBus.open()
    let service = PortalService(
      bus: bus, inbox: inbox, questioner: Questioner(client: BrokerClient(addresses: addresses)),
      rulings: rulings, file: LeaseFile(besides: path))
    try service.start { Notes.note("ready") }
    throw PortalEnd(reason: Self.end(of: service, BusLoop(bus: bus, inbox: inbox)))
  }

  /// Serves until the bus goes away, and returns the reason.
  private static func end(of service: PortalService, _ loop: BusLoop<PortalEvent>) -> String {
    let error = loop.run(service.take) { service.failure == nil ? .proceed(service.wake()) : .end }
    return service.failure?.message ?? error.map { "the session bus has gone: \($0)" } ?? "ended"
  }

  /// Tells of every change of the decisions.
  private func follow(_ store: any PermissionStore, _ inbox: BusLoop<PortalEvent>.Inbox) {
    Task.quiet {
      guard let changes = try? store.changes() else { return }
      do { for try await _ in changes { inbox.add(.decided) } } catch { inbox.add(.decided) }
    }
  }
}
