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
  let waiting: WaitingBook
  let authorizer: Authorizer
  let remotes = Lock<[String: RemotePresenter]>([:])
  private let server = Lock<Running?>(nil)
  private let stopping = Lock(false)
  private let ending = Lock(false)
  let inherited = InheritedRequests()
  /// What is answered without anybody being asked, on its way to the journal.
  let ledger: AnswerLedger
  let throttle: Throttle
  let doubtMutes: DoubtMutes

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
    doubtMutes = DoubtMutes(configuration.store)
    let waiting = WaitingBook()
    let witness = configuration.witness
    presenters = AttachedPresenters { alert in
      guard case .request(let content) = alert.content else { return }
      Self.withdrawChanged(content.requestIDs, in: waiting, witness)
    }
    slot = ModalSlot(presenter: presenters, exclusion: configuration.exclusion)
    desk = LocalDesk(
      store: configuration.store, slot: slot, environment: configuration.probes, origin: .rule("broker"))
    self.waiting = waiting
    let inherited = inherited
    let clock = configuration.store.environment
    let (desk, sleep) = (desk, configuration.sleep)
    let ledger = AnswerLedger(now: { clock.now().wall }, sleep: sleep) { try desk.record($0) }
    self.ledger = ledger
    throttle = Throttle(now: { .microseconds(clock.now().bootTime) }, sleep: sleep)
    let limited = LimitedDesk(
      base: desk,
      limiter: RequestLimiter(settings: configuration.limits) { .microseconds(clock.now().bootTime) },
      ledger: ledger, payer: { waiting[$0]?.payer },
      takeInherited: { inherited.take($0) }, announce: { await waiting[$0]?.announce() })
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
    inherited.note(waiting.map(\.request))
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
    ledger.write()
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
    let gone = Set(old).subtracting(waiting.ids)
    if !gone.isEmpty { _ = try? store.close(Array(gone), .withdrawn, by: .rule("broker")) }
  }

  /// Looks again at the processes that ask, and withdraws the requests of those that are not what they were.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  private static func withdrawChanged(
    _ ids: [Request.ID], in waiting: WaitingBook, _ witness: PeerWitness
  ) -> Bool {
    let changed = waiting.entries(of: ids).filter { entry in
      witness.program(behind: entry.peer, withChain: false)?.isSame(as: entry.seen) != true
    }
    for entry in changed { entry.withdraw?() }
    return !changed.isEmpty
  }

  /// Withdraws a request if its process is not what it was; returns whether it did.
  func withdrawIfChanged(_ id: Request.ID) -> Bool {
    Self.withdrawChanged([id], in: waiting, configuration.witness)
  }
}
