import Machine
public import Operations
public import PermModel

/// The broker of a store: programs of this machine ask it, and persons answer through it.
///
/// The queue and the one modal slot for all that programs ask live in it.
public final class Broker: Sendable {
  /// What a broker works with.
  public struct Configuration: Sendable {
    public var store: any PermissionStore
    public var catalogue: CapabilityCatalogue
    public var probes: ProbeEnvironment
    public var policy: MachinePolicy
    /// Where requests run, so that their states can be shown.
    public var queue: OperationQueue
    var limits = RequestLimits.Settings()
    var witness = PeerWitness()
    var exclusion = ExclusionScheduler.shared
    var control = ControlWitness()
    /// Waits for a while; tests have a clock of their own.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    public init(
      store: any PermissionStore, catalogue: CapabilityCatalogue = .builtIn,
      probes: ProbeEnvironment = .current,
      policy: MachinePolicy = .none, queue: OperationQueue = OperationQueue(name: "requests")
    ) {
      self.store = store
      self.catalogue = catalogue
      self.probes = probes
      self.policy = policy
      self.queue = queue
    }
  }

  /// Where its alerts are shown.
  public let presenters: AttachedPresenters
  /// The modal slot that its alerts go through.
  public let slot: ModalSlot
  /// Answers requests that wait here.
  public let desk: LocalDesk

  /// What it works with.
  public let configuration: Configuration
  /// The requests that its clients wait for.
  let ledger: AskingLedger
  let authorizer: Authorizer
  let remotes = Lock<[String: RemotePresenter]>([:])
  private let server = Lock<Running?>(nil)
  private let stopping = Lock(false)
  private let ending = Lock(false)
  /// What is answered without anybody being asked, on its way to the journal.
  let answers: AnswerLedger

  /// What runs while it serves.
  private struct Running: Sendable {
    var server: SocketServer
    var sockets: ListeningSockets
    var tidying: Task<Void, Never>
  }

  var isStopping: Bool { stopping.withLock { $0 } }
  /// Whether it will stop soon, so that dashboards which go away are no news.
  var isEnding: Bool { ending.withLock { $0 } }
  var store: any PermissionStore { configuration.store }

  public init(_ configuration: Configuration) {
    self.configuration = configuration
    let (witness, clock) = (configuration.witness, configuration.store.environment)
    let ledger = AskingLedger(limits: configuration.limits) { .microseconds(clock.now().bootTime) }
    self.ledger = ledger
    presenters = AttachedPresenters { alert in
      guard case .request(let content) = alert.content else { return }
      ledger.withdrawChanged(content.requestIDs, witness)
    }
    slot = ModalSlot(presenter: presenters, exclusion: configuration.exclusion)
    let desk = LocalDesk(
      store: configuration.store, slot: slot, environment: configuration.probes, origin: .rule("broker"))
    self.desk = desk
    answers = AnswerLedger(now: { clock.now().wall }, sleep: configuration.sleep) { try desk.record($0) }
    let limited = LimitedDesk(base: desk, ledger: ledger, answers: answers)
    authorizer = Authorizer(
      subject: Subject(label: "permtui"), desk: limited, environment: configuration.probes,
      policy: configuration.policy)
  }

  /// Starts to answer at sockets that were taken.
  ///
  /// Requests of programs that are gone are withdrawn at once, and those that nobody asks for again after a while.
  package func serve(_ sockets: ListeningSockets) throws {
    try store.withdrawAbandoned()
    let waiting = try store.waitingRequests()
    ledger.inherit(waiting.map(\.request))
    // Programs say again where they ask.
    for one in waiting where one.terminal != nil { try store.setTerminal(one.id, nil) }
    let router = makeRouter()
    let witness = configuration.witness
    let identify: SocketServer.Identify = { peer in
      witness.program(behind: peer, withChain: false).map { Payer($0, at: peer).program }
    }
    let running = Running(
      server: try SocketServer(sockets.descriptors, identify: identify) { message, socket, peer, replies in
        await router.answer(message[...], at: socket, from: peer, replies)
      },
      sockets: sockets, tidying: Task.quiet { await self.withdrawForgotten() })
    server.withLock { $0 = running }
  }

  /// Tells no client from now on that there are no dashboards left: the next broker may have some.
  func willStop() { ending.withLock { $0 = true } }

  /// Closes the sockets. Requests stay in the store, where the next broker finds those whose clients ask again.
  public func stop() async {
    stopping.withLock { $0 = true }
    let running = server.withLock { server in
      defer { server = nil }
      return server
    }
    running?.tidying.cancel()
    await running?.server.stop()
    answers.write()
    running?.sockets.removeFiles()
  }

  /// How long clients have to ask again after the broker before this one went away.
  static let grace = Duration.seconds(15)

  /// Withdraws what waited when this broker began, and was not asked for again: the client is gone, though the program
  /// that it asked for may still run.
  private func withdrawForgotten() async {
    guard let old = try? store.waitingRequests().filter({ $0.request.evidence != nil }).map(\.id),
      !old.isEmpty,
      (try? await Task.sleep(for: Self.grace)) != nil
    else { return }
    let gone = old.filter { ledger[$0] == nil }
    if !gone.isEmpty { _ = try? store.close(gone, .withdrawn, by: .rule("broker")) }
  }

  /// Holds back a denial of a program that is denied over and over.
  func holdBack(_ program: Asker) async {
    if let delay = ledger.delay(of: program) { try? await configuration.sleep(delay) }
  }
}
