import Foundation
import Machine
import Operations
import PermModel
import Testing

@testable import PermBroker

/// A broker on an empty store, with a dashboard played by the test, and programs that the test invents.
final class TestBroker: Sendable {
  let folder: TemporaryFolder
  let address: BrokerAddress
  let store: any PermissionStore
  let presenter = TestPresenter()
  let broker: Broker
  private let sight = Sight()

  /// The program and the caller that the broker sees.
  private final class Sight: Sendable {
    let program = Lock<IdentifiedProgram?>(TestBroker.program("/home/ana/bin/backup.sh"))
    let folder = Lock<ProgramFolder?>(nil)
    let chain = Lock<[String]?>(nil)
    /// The caller that is seen at `control`: a person's command.
    let caller = Lock(ControlCaller(lineage: [.init(identity: ProcessIdentity(pid: 1, startTime: 0))]))
    let warden = Lock(SeenWarden())
  }

  init(
    store: (any PermissionStore)? = nil, hasDashboard: Bool = true, limits: RequestLimits.Settings = .init(),
    resolver: PathResolver = .patient, configure: (inout Broker.Configuration) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    address = BrokerAddress(folder: folder.file("run"))
    let store = store ?? MemoryStore(environment: .linux(sessionFolder: nil))
    self.store = store
    var configuration = Broker.Configuration(store: store, catalogue: Self.catalogue)
    configuration.limits = limits
    configuration.resolver = resolver
    configuration.exclusion = ExclusionScheduler()
    // Tests about anything else must not meet a limit of time, however busy the machine is.
    configuration.idleLimit = .seconds(3600)
    configuration.grace = .seconds(3600)
    let sight = sight
    configuration.witness = PeerWitness(
      look: { _, _ in sight.program.withLock { $0 } }, chain: { _ in sight.chain.withLock { $0 } })
    configuration.folder = { _ in sight.folder.withLock { $0 } }
    configuration.control = ControlWitness { _ in sight.caller.withLock { $0 } }
    configuration.wardens = WardenWitness(
      identity: { _ in sight.warden.withLock { $0.identity } },
      isWarden: { _ in sight.warden.withLock { $0.isWarden } },
      descends: { _, _ in sight.warden.withLock { $0.hasStartedRun } })
    configure(&configuration)
    broker = Broker(configuration)
    if hasDashboard { broker.keeper.attach(presenter, dashboard: "test") }
    try broker.serve(ListeningSockets(lock: folder.file("lock"), candidates: [address]))
  }

  /// Sets the asking program that is seen from now on.
  func see(_ program: IdentifiedProgram?) { sight.program.withLock { $0 = program } }

  /// Sets the programs that are seen to have started the asking program from now on.
  func see(chain: [String]?) { sight.chain.withLock { $0 = chain } }

  /// Sets the folder in which the asking program works from now on.
  func work(in folder: ProgramFolder?) { sight.folder.withLock { $0 = folder } }

  /// Sets the caller that is seen at `control` from now on.
  func seeAtControl(_ caller: ControlCaller) { sight.caller.withLock { $0 = caller } }

  /// Changes the warden that is seen from now on.
  func seeWarden(_ change: (inout SeenWarden) -> Void) { sight.warden.withLock { change(&$0) } }

  func client(_ socket: BrokerSocket = .ask) throws -> TestClient { try TestClient(to: socket, at: address) }

  /// Asks on a connection of its own.
  func ask(_ capability: String = "deploy", label: String? = "backup") async throws -> Methods.Request.Reply {
    try await client().call(Methods.Request.self, .init(capability: capability, label: label))
  }

  /// Returns the text of a waiting request that a person reads before answering it by its ID.
  func pending(_ id: String) async throws -> PendingRequest {
    let all = try await client(.control).call(Methods.Pending.self, .init()).requests
    return try #require(try all.first { $0.request.id == id }?.pending())
  }

  /// Answers a request by its ID, in its present form.
  func answer(_ id: String, _ response: Wire.Response, origin: String? = nil) async throws {
    let digest = try await pending(id).digest.description
    _ = try await client(.control).call(
      Methods.Answer.self, .init(id: id, answer: response, digest: digest, origin: origin))
  }

  func journal() throws -> [JournalEntry.Kind] {
    try store.journal(.all, .newest(100)).reversed().map(\.kind)
  }

  /// Waits until the store has no waiting requests. A presenter learns of an end before the store does.
  func untilNothingWaits() async throws {
    for try await _ in try store.changes(since: 0) where try store.waitingRequests().isEmpty { break }
  }

  static func program(_ path: String, doubt: String? = nil) -> IdentifiedProgram {
    let process = ProcessIdentity(
      pid: getpid(), startTime: LinuxProcessTable().process(getpid())?.identity.startTime ?? 0)
    return IdentifiedProgram(
      peer: process, file: doubt == nil ? PermBrokerTests.seen(path) : nil,
      evidence: Evidence(process: process, program: path, chain: ["bash"], terminal: "pts/7", doubt: doubt))
  }

  static let catalogue = CapabilityCatalogue([
    CapabilityDescriptor(Deploy.definition) { Deploy(requirement: AtomRequirement(atoms: $0)) },
    CapabilityDescriptor(Missing.definition) { Missing(requirement: AtomRequirement(atoms: $0)) },
  ]).adding(
    ["files", "network", "commands", "environment", "system", "code", "tools"].compactMap {
      CapabilityCatalogue.builtIn[$0]
    })
}

/// The process that calls for a run, as the broker sees it.
struct SeenWarden: Sendable {
  var identity: ProcessIdentity? = ProcessIdentity(pid: 70, startTime: 700)
  var isWarden = true
  var hasStartedRun = true
}

/// A capability that is always available.
struct Deploy: CapabilityType {
  static let definition = CapabilityDefinition(
    name: "deploy", title: "Deploy", summary: "Puts things into production.",
    parts: [
      CapabilityPart("staging", action: "deploy to staging"), CapabilityPart("production", action: "deploy"),
    ])
  var definition: CapabilityDefinition { Self.definition }
  var requirement: AtomRequirement
}

/// A capability that no machine has.
struct Missing: CapabilityType {
  static let definition = CapabilityDefinition(
    name: "teleport", title: "Teleport", summary: "Moves things.", action: "move things")
  var definition: CapabilityDefinition { Self.definition }
  var requirement: AtomRequirement

  func availability(in environment: ProbeEnvironment) async -> Availability {
    .unavailable(Unavailability(reason: "there is no teleporter", remedy: "build one"))
  }
}

extension PathResolver {
  /// A resolver that waits for a file however busy the machine is.
  static var patient: PathResolver { PathResolver(patience: .seconds(240)) }
}

/// Runs a test with a broker, and stops it whatever happens.
func withBroker(
  hasDashboard: Bool = true, limits: RequestLimits.Settings = .init(),
  resolver: PathResolver = .patient, configure: (inout Broker.Configuration) -> Void = { _ in },
  _ test: (TestBroker) async throws -> Void
) async throws {
  let broker = try TestBroker(
    hasDashboard: hasDashboard, limits: limits, resolver: resolver, configure: configure)
  do {
    try await test(broker)
  } catch {
    await broker.broker.stop()
    throw error
  }
  await broker.broker.stop()
}
