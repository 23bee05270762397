import Machine
package import PermModel

/// The alerts of a dashboard that also answers for other machines.
package final class MachineAlerts: DashboardAlerts {
  private struct State {
    var boards = MachineBoards()
    var followed: [ConfiguredMachine: Followed] = [:]
    /// The task that lets an alert come up later that is held back now.
    var admitting: Task<Void, Never>?

    func follower(of alert: Alert.ID) -> MachineFollower? {
      boards.place(of: alert.machine).flatMap { followed[$0.machine]?.follower }
    }
  }

  private struct Followed: Sendable {
    let follower: MachineFollower
    let task: Task<Void, Never>
  }

  private let own: any DashboardAlerts
  private let answering: any RequestAnswering
  private let open: MachineFollower.Opening
  private let dashboard: String
  private let gate = TaskGate(MachineAlerts.together)
  private let state = Lock(State())
  private let signal = ChangeSignal()
  private let told = AsyncStream.makeStream(of: MachineNews.self)
  private let following = Lock<Task<Void, Never>?>(nil)

  /// The number of connections that are set up at the same time. Each takes two processes.
  package static let together = 8

  /// - Parameters:
  ///   - own: The alerts of this machine.
  ///   - answering: The means to answer requests of this machine that the person picks from the list.
  ///   - access: The means to reach the others.
  ///   - dashboard: The dashboard's random id, which is recorded with every decision made in this dashboard.
  package convenience init(
    _ own: any DashboardAlerts, answering: any RequestAnswering, _ access: MachineAccess, dashboard: String
  ) {
    self.init(own, answering: answering, dashboard: dashboard) { await access.open($0) }
  }

  init(
    _ own: any DashboardAlerts, answering: any RequestAnswering, dashboard: String,
    open: @escaping MachineFollower.Opening
  ) {
    self.answering = answering
    (self.own, self.open, self.dashboard) = (own, open, dashboard)
    let task = Task.quiet { [own, signal] in for await _ in own.changes { signal.send() } }
    following.withLock { $0 = task }
  }

  deinit { following.withLock { $0 }?.cancel() }

  /// A stream of what the person should know, for a single consumer.
  package var news: AsyncStream<MachineNews> { told.stream }

  // MARK: Machines

  /// Connects to these machines, and leaves those that are not among them.
  package func use(_ machines: [ConfiguredMachine]) {
    let left: [Followed] = change { state in
      state.boards.use(machines)
      let left = state.followed.filter { !machines.contains($0.key) }
      state.followed = state.followed.filter { machines.contains($0.key) }
      for machine in machines where state.followed[machine] == nil {
        state.followed[machine] = follow(machine)
      }
      return Array(left.values)
    }
    for followed in left { followed.task.cancel() }
  }

  private func follow(_ machine: ConfiguredMachine) -> Followed {
    let follower = MachineFollower(machine, dashboard: dashboard, gate: gate, open: open) {
      [weak self] event in
      self?.take(event, of: machine)
    }
    return Followed(follower: follower, task: Task.quiet { await follower.run() })
  }

  private func take(_ event: MachineFollower.Event, of machine: ConfiguredMachine) {
    switch event {
    case .standing(let standing): change { $0.boards.note(standing, of: machine) }
    case .pictured(let picture):
      change { $0.boards.take(picture, of: machine, at: Self.now) }
      admitLater()
    case .listed(let list): change { $0.boards.take(list, of: machine) }
    case .leftAreOver: change { $0.boards.forgetLeft(of: machine) }
    case .told(let news): told.continuation.yield(news)
    }
  }

  /// Leaves all machines.
  package func stop() {
    use([])
    following.withLock { $0 }?.cancel()
    told.continuation.finish()
  }

  // MARK: Turns

  private static var now: Duration { .milliseconds(SystemClock.monotonic.milliseconds) }

  /// Waits until an alert that is held back can come up.
  private func admitLater() {
    guard let wait = state.withLock({ $0.boards.wait(at: Self.now) }) else { return }
    let task = Task.quiet { [weak self] in
      guard (try? await QuietClock.sleep(for: wait)) != nil, let self else { return }
      change { $0.boards.admit(at: Self.now) }
      admitLater()
    }
    state.withLock { state in
      state.admitting?.cancel()
      state.admitting = task
    }
  }

  @discardableResult
  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    defer { signal.send() }
    return state.withLock { body(&$0) }
  }

  // MARK: Alerts

  package var picture: DashboardPicture {
    let own = own.picture
    return state.withLock { $0.boards.picture(with: own) }
  }

  package var changes: AsyncStream<Void> { signal.changes() }

  package func respond(_ alert: Alert.ID, _ response: AlertResponse, to digest: AlertDigest) async throws {
    guard !alert.machine.isEmpty else {
      defer { change { $0.boards.noteTurn(of: "") } }
      return try await own.respond(alert, response, to: digest)
    }
    let (arrival, follower) = state.withLock { ($0.boards.arrival(alert), $0.follower(of: alert)) }
    guard let arrival, let follower else { throw AnswerRefused.notShown(alert) }
    // The person has read what this dashboard made of the alert. The machine is told what it has sent.
    guard digest == arrival.read.digest else { throw AnswerRefused.changed }
    change { $0.boards.noteTurn(of: alert.machine) }
    try await follower.respond(arrival.sent, response)
  }

  package func reopen(_ alert: Alert.ID) async throws {
    guard !alert.machine.isEmpty else { return try await own.reopen(alert) }
    try await state.withLock { $0.follower(of: alert) }?.reopen(alert)
  }

  // MARK: Panic

  /// Begins a panic on all machines, or ends it. Those that are out of reach are told of a panic when they are back.
  package func setPanic(_ isOn: Bool) async {
    let followers = state.withLock { $0.followed.values.map(\.follower) }
    await withTaskGroup(of: Void.self) { group in
      for follower in followers {
        group.addTask { if isOn { await follower.panic() } else { await follower.endPanic() } }
      }
    }
  }
}

// MARK: - Answering

extension MachineAlerts: RequestAnswering {
  package func pending() async throws -> [PendingRequest] {
    try await answering.pending() + state.withLock { $0.boards.places.flatMap(\.waiting.requests) }
  }

  package func admitChange() throws { try answering.admitChange() }

  package func answer(_ id: Alert.ID, _ answer: Answer, to digest: AlertDigest) async throws {
    guard !id.machine.isEmpty else { return try await answering.answer(id, answer, to: digest) }
    let (place, request, follower) = state.withLock {
      ($0.boards.place(of: id.machine), $0.boards.request(id), $0.follower(of: id))
    }
    if case .out(let fault)? = place?.standing, let name = place?.machine.name {
      throw AnswerNotSent(machine: name, reason: fault)
    }
    guard let request, let follower else { throw BrokerError.noSuchRequest(id.text) }
    // The machine is told the digest of what it has sent, for which the person has read what this dashboard made of it.
    guard digest == request.read.digest else { throw BrokerError.changed }
    try await follower.answer(request.sent, answer)
  }
}
