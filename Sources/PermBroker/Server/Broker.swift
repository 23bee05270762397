import Machine
package import Operations
package import PermModel

/// The broker of a store. Programs on this machine ask it for permission, and people answer through it.
///
/// The broker owns the queue and the single modal slot through which all requests pass.
package final class Broker: Sendable {
  /// The store, the queue and the other things that a broker works with.
  package struct Configuration: Sendable {
    package var store: any PermissionStore
    /// The settings with which the broker starts.
    package var settings: BrokerSettings
    /// The queue in which each request runs as an operation. A dashboard can show the states of these operations.
    package var queue: OperationQueue
    var limits = RequestLimits.Settings()
    var witness = PeerWitness()
    var resolver = PathResolver()
    var exclusion = ExclusionScheduler.shared
    var control = ControlWitness()
    var wardens = WardenWitness()
    /// The time after which a connection without a call is closed.
    var idleLimit = SocketServer.idleLimit
    /// The time within which clients can repeat their requests after the previous broker has gone away.
    var grace = Duration.seconds(15)
    /// Determines the folder in which a process works now.
    var folder: @Sendable (ProcessIdentity) -> ProgramFolder? = { ProgramFolder(of: $0) }
    /// Runs the command that tells of waiting requests.
    var notify: Notifier.Run = { await Program.perform($0, adding: $1, within: 10_000) }
    /// Sleeps for a duration. Tests replace this closure to use their own clock.
    var sleep: @Sendable (Duration) async throws -> Void = { try await QuietClock.sleep(for: $0) }

    package init(
      store: any PermissionStore, catalogue: CapabilityCatalogue = .builtIn,
      probes: ProbeEnvironment = .current,
      policy: MachinePolicy = .none, queue: OperationQueue = OperationQueue(quiet: "requests")
    ) {
      self.store = store
      settings = BrokerSettings(catalogue: catalogue, probes: probes, policy: policy)
      self.queue = queue
    }
  }

  /// The board of everything that waits for a person, and the dashboards that show it.
  package let keeper: BoardKeeper
  /// The modal slot through which the broker's alerts are shown.
  package let slot: ModalSlot
  /// The answerer that answers the requests waiting at this broker.
  package let answerer: LocalAnswerer

  /// The configuration that the broker was created with.
  package let configuration: Configuration
  let ledger: AskingLedger
  let current: Lock<BrokerSettings>
  let settingsSignal = ChangeSignal()
  private let limited: LimitedAnswerer
  let notifier: Notifier
  private let server = Lock<Running?>(nil)
  private let stopping = Lock(false)
  private let ending = Lock(false)
  let folders: AgentFolders
  private let deno = DenoSessions()
  let runs = Runs()
  /// Determines which program is behind a peer, also behind walls.
  let witness: PeerWitness

  /// The server and its sockets, while this process is the broker.
  var listening: (server: SocketServer, sockets: ListeningSockets)? {
    server.withLock { $0.map { ($0.server, $0.sockets) } }
  }

  private struct Running: Sendable {
    var server: SocketServer
    var sockets: ListeningSockets
    var tidying: Task<Void, Never>
    var notifying: Task<Void, Never>
  }

  var isStopping: Bool { stopping.withLock { $0 } }
  /// Whether the broker will stop soon. If so, clients are no longer notified when dashboards attach or detach.
  var isEnding: Bool { ending.withLock { $0 } }
  var store: any PermissionStore { configuration.store }
  var answers: AutomaticAnswerBook { answerer.answers }

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    current = Lock(configuration.settings)
    let (witness, clock) = (configuration.witness.believing(runs), configuration.store.environment)
    self.witness = witness
    folders = AgentFolders(look: configuration.folder) { clock.now().isRunning($0) }
    let now: @Sendable () -> Duration = { .microseconds(clock.now().bootTime) }
    let ledger = AskingLedger(now: now)
    self.ledger = ledger
    keeper = BoardKeeper(
      Board(limits: configuration.limits), exclusion: configuration.exclusion, clock: now,
      sleep: configuration.sleep)
    slot = ModalSlot(keeper, refusing: .panic(in: configuration.store))
    let answerer = LocalAnswerer(
      store: configuration.store, slot: slot, environment: configuration.settings.probes,
      origin: .broker,
      answers: AutomaticAnswerBook(configuration.store, sleep: configuration.sleep),
      beforeAnswer: { requests in
        let changed = ledger.withdrawChanged(requests, witness)
        await ledger.askChangedAgain(requests)
        return changed
      })
    self.answerer = answerer
    limited = LimitedAnswerer(
      base: answerer, ledger: ledger, isAttended: { [keeper] in keeper.isAttended },
      chain: configuration.witness.chain)
    notifier = Notifier(keeper, configuration.store, sleep: configuration.sleep, run: configuration.notify)
    notifier.use(configuration.settings.notification, configuration.settings.catalogue)
  }

  /// The authorizer through which requests are made, with the settings that count now.
  var authorizer: Authorizer {
    let settings = settings
    return Authorizer(
      subject: Subject(label: "permtui"), answerer: limited, environment: settings.probes,
      policy: settings.policy
    )
  }

  /// Starts answering calls over sockets that are already listening.
  ///
  /// Requests of programs that have ended are withdrawn immediately. Requests that no client repeats are withdrawn
  /// after ``Configuration/grace``.
  package func serve(_ sockets: ListeningSockets) throws {
    try store.withdrawAbandoned()
    let waiting = try store.waitingRequests()
    ledger.inherit(waiting.map(\.request))
    folders.keep(in: AgentRecord(path: sockets.agentRecord, boot: store.environment.now().bootID))
    folders.inherit(waiting.map(\.request))
    // A program that still asks on its own terminal reports this to the new broker, so the old notes can be cleared.
    for one in waiting where one.terminal != nil { try store.setTerminal(one.id, nil) }
    let router = makeRouter()
    let identify: SocketServer.Identify = { [witness] peer in
      witness.program(behind: peer, withChain: false).map { CostAccount($0, at: peer).program }
    }
    let running = Running(
      server: try SocketServer(
        sockets.descriptors, idleLimit: configuration.idleLimit, identify: identify, deno: beginDeno
      ) {
        message, socket, peer, replies in
        await router.answer(message, at: socket, from: peer, replies)
      },
      sockets: sockets, tidying: Task.quiet { await self.withdrawForgotten() },
      notifying: Task.quiet { [notifier] in await notifier.follow() })
    server.withLock { $0 = running }
  }

  private func beginDeno(_ peer: Peer) -> (session: DenoSession, whenClosed: @Sendable () -> Void)? {
    guard let session = deno.begin(self, with: peer) else { return nil }
    return (session, { [deno] in deno.leave(session) })
  }

  /// Stops notifying clients of the number of dashboards. This broker's number would mislead them, because dashboards
  /// might attach to the next broker.
  func willStop() { ending.withLock { $0 = true } }

  /// Stops serving. Requests stay in the store, where the next broker finds them when their clients repeat them.
  ///
  /// Deno processes cannot repeat a question, so theirs are denied.
  package func stop() async {
    await deno.end()
    stopping.withLock { $0 = true }
    let running = server.withLock { server in
      defer { server = nil }
      return server
    }
    running?.tidying.cancel()
    running?.notifying.cancel()
    await running?.server.stop()
    answers.write()
    running?.sockets.removeFiles()
  }

  /// Withdraws requests that were waiting when this broker started and that no client has repeated in time. Their clients
  /// are gone, even if the programs are still running.
  private func withdrawForgotten() async {
    guard let old = try? store.waitingRequests().filter({ $0.request.evidence != nil }).map(\.id),
      !old.isEmpty,
      (try? await QuietClock.sleep(for: configuration.grace)) != nil
    else { return }
    let gone = old.filter { ledger[$0] == nil }
    if !gone.isEmpty {
      _ = try? store.close(gone, .withdrawn(reason: RequestEnd.processGone), by: .broker)
    }
  }

  /// Counts a denial that involved no person, and delays the denial if the program has received many.
  func holdBack(_ program: ProgramKey) async {
    if let delay = ledger.delay(of: program) { try? await configuration.sleep(delay) }
  }
}
