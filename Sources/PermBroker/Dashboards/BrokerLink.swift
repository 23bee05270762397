import Machine
package import PermModel

/// The connection between a dashboard and the programs of this machine. Either this process is the broker, or it
/// attaches to a broker in another process and also shows that broker's alerts. If that broker goes away, this
/// process tries to become the broker itself.
package final class BrokerLink: Sendable {
  package enum State: Hashable, Sendable {
    /// The broker is in this process.
    case serving
    /// The broker is in another process, and its alerts are also shown in this dashboard.
    case attached
    /// The broker in another process has gone, and the next one is not known yet.
    case lost
    /// Programs cannot reach this dashboard, for the given reason.
    case off(String)
  }

  /// The broker object of this process. All modal alerts of this process use the slot and the answerer of this object, even
  /// while another process serves as the broker.
  package let broker: Broker
  private let place: BrokerLocation
  private let dashboard: String
  /// Whether the person picks requests from a list, so that no alert is shown.
  private let onlyPicks: Bool
  /// This dashboard's screen of the board in this process.
  private let screen: Board.Screen.ID?
  private let reached = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(4))

  private struct Link: Sendable {
    var state: State?
    /// The reason why the broker in another process does not admit this dashboard; `nil` if there is none.
    var obstacle: (any Error)?
    var hasLeft = false
    var isOnHold = false
    var follower: BoardFollower?
    /// Whether the follower has received a picture.
    var isFollowing = false
    var boards = ShownBoards()
  }

  private let link = Lock(Link())
  private let signal = ChangeSignal()

  /// - Parameters:
  ///   - dashboard: The dashboard's random id, which is recorded with every decision made in this dashboard.
  ///   - onlyPicks: Whether the person picks requests from a list, so that no alert is shown.
  package init(
    _ configuration: Broker.Configuration, at place: BrokerLocation, dashboard: String,
    onlyPicks: Bool = false
  ) {
    broker = Broker(configuration)
    screen = broker.keeper.attach(dashboard: dashboard, onlyPicks: onlyPicks)
    self.place = place
    self.dashboard = dashboard
    self.onlyPicks = onlyPicks
  }

  /// A stream of the link's states, for a single consumer. A slow consumer sees only the latest few states.
  package var states: AsyncStream<State> { reached.stream }

  private func changed(_ state: State) {
    link.withLock { link in
      link.state = state
      if state == .serving || state == .attached { link.obstacle = nil }
    }
    reached.continuation.yield(state)
  }

  /// The time between two attempts to attach while another dashboard is becoming the broker.
  private static let pause = Duration.milliseconds(50)

  /// The time before the next attempt to attach after the broker has refused an attempt or has not answered it.
  private static let pauseAfterRefusal = Duration.seconds(5)

  /// Keeps the dashboard connected until the task is cancelled, ``leave()`` is called, or the connection
  /// fails permanently.
  package func run() async {
    let own = Task.quiet { await self.followOwnBoard() }
    defer { own.cancel() }
    while !Task.isCancelled, !isLeaving {
      do {
        try await attach()
      } catch BrokerSocketError.nobodyListens, BrokerError.disconnected {
        if await !serve() { return }
      } catch {
        if Task.isCancelled { return }
        link.withLock { $0.obstacle = Self.mayPass(error) ? error : nil }
        changed(.off("\(error)"))
        guard Self.mayPass(error), (try? await QuietClock.sleep(for: Self.pauseAfterRefusal)) != nil else {
          return
        }
      }
    }
  }

  /// Returns whether attaching might succeed later. The obstacle can be a waiting request of the program that started
  /// this dashboard, or a broker that is stopped or overloaded.
  private static func mayPass(_ error: any Error) -> Bool {
    switch error {
    case BrokerError.mayNotChange, BrokerSocketError.doesNotAnswer: true
    default: false
    }
  }

  /// Tells the broker that a key was pressed at this dashboard, so that the person need not be told what waits.
  package func noteLook() {
    broker.notifier.look()
    link.withLock(\.follower)?.noteLook()
  }

  /// Tells the broker whether this dashboard holds alerts, so that none comes up by itself.
  package func hold(_ isOnHold: Bool) {
    let follower = link.withLock { link in
      link.isOnHold = isOnHold
      return link.follower
    }
    broker.keeper.hold(isOnHold, dashboard: dashboard)
    follower?.hold(isOnHold)
  }

  /// Detaches the dashboard, so that its responses no longer have any effect.
  package func leave() {
    let follower = link.withLock { link in
      link.hasLeft = true
      return link.follower
    }
    follower?.leave()
    broker.willStop()
    broker.keeper.detach(dashboard: dashboard)
  }

  private var isLeaving: Bool { link.withLock(\.hasLeft) }

  /// Detaches the dashboard, and stops the broker if it is serving in this process.
  package func stop() async {
    leave()
    await broker.stop()
  }

  // MARK: Serving

  /// Makes this process the broker until the task is cancelled. Returns `false` if ``run()`` must end, and `true` if it
  /// can try to attach again because another process is the broker.
  private func serve() async -> Bool {
    do {
      try broker.serve(ListeningSockets(lock: place.lock, candidates: place.addresses))
    } catch BrokerSocketError.inUse {
      return (try? await QuietClock.sleep(for: Self.pause)) != nil
    } catch {
      changed(.off("\(error)"))
      return false
    }
    changed(.serving)
    await broker.keepListening { [self] obstacle in changed(obstacle.map(State.off) ?? .serving) }
    await stop()
    return false
  }

  // MARK: Attaching

  /// Shows a broker's alerts until the broker goes away.
  private func attach() async throws {
    let follower = BoardFollower(BrokerClient(addresses: place.addresses), dashboard: dashboard)
    link.withLock { ($0.follower, $0.isFollowing) = (follower, false) }
    defer { lose(link.withLock { $0.isFollowing && !$0.hasLeft } && !Task.isCancelled) }
    try await follower.run(onlyPicks: onlyPicks) { picture in
      show { $0.take(elsewhere: picture) }
      let (isFirst, isOnHold) = link.withLock { link in
        defer { link.isFollowing = true }
        return (!link.isFollowing, link.isOnHold)
      }
      guard isFirst else { return }
      if isOnHold { follower.hold(true) }
      changed(.attached)
    }
  }

  /// The time for which alerts remain on the screen while waiting for the next broker to show them again.
  private static let handover = Duration.seconds(2)

  /// Notes that the broker elsewhere has gone. Its alerts stay to be read for ``handover``, so that the next broker, which
  /// might be in this process, can go on with them.
  private func lose(_ isHandover: Bool) {
    let number = show { $0.lose(staysReadable: isHandover) }
    guard isHandover else { return }
    // This is only announced. Until there is another broker, calls still go to the one that has gone, and fail.
    reached.continuation.yield(.lost)
    Task.quiet { [weak self] in
      try? await QuietClock.sleep(for: Self.handover)
      self?.show { $0.forgetLeft(behind: number) }
    }
  }
}

// MARK: - Alerts

extension BrokerLink: DashboardAlerts {
  package var picture: DashboardPicture { link.withLock(\.boards.picture) }
  package var changes: AsyncStream<Void> { signal.changes() }

  private func followOwnBoard() async {
    guard let screen else { return }
    for await picture in broker.keeper.pictures(of: screen) { show { $0.take(own: picture) } }
  }

  @discardableResult
  private func show<Result: Sendable>(_ change: (inout ShownBoards) -> Result) -> Result {
    defer { signal.send() }
    return link.withLock { change(&$0.boards) }
  }

  package func respond(_ alert: Alert.ID, _ response: AlertResponse, to digest: AlertDigest) async throws {
    switch link.withLock({ $0.boards.place(of: alert) }) {
    case .own:
      if let screen { try await broker.keeper.respond(alert, response, to: digest, at: screen) }
    case .elsewhere: try await link.withLock(\.follower)?.respond(alert, response, to: digest)
    case .left, nil:
      show { $0.forgetLeft { $0 == alert } }
      throw AnswerRefused.notShown(alert)
    }
  }

  package func reopen(_ alert: Alert.ID) async throws {
    switch link.withLock({ $0.boards.place(of: alert) }) {
    case .own: if let screen { broker.keeper.reopen(alert, at: screen) }
    case .elsewhere: try await link.withLock(\.follower)?.reopen(alert)
    case .left, nil: break
    }
  }
}

// MARK: - Answering

extension BrokerLink: RequestAnswering {
  /// Checks that this dashboard is allowed to change something. A broker in another process might not have admitted it,
  /// for example because a program whose request waits has started it.
  package func admitChange() throws {
    let (obstacle, state) = link.withLock { ($0.obstacle, $0.state) }
    if let obstacle { throw obstacle }
    if state == nil { throw BrokerError.store(reason: "no broker is connected yet; try again") }
  }

  /// The broker in another process to which this dashboard is attached; `nil` if there is none.
  private var other: BrokerClient? {
    link.withLock(\.state) == .attached ? BrokerClient(addresses: place.addresses) : nil
  }

  package func pending() async throws -> [PendingRequest] {
    guard let other else { return try broker.pending(by: .dashboard(id: dashboard)).requests }
    return try await other.call(Methods.Pending.self, .init()).requests.map { try $0.pending() }
  }

  package func answer(_ alert: Alert.ID, _ answer: Answer, to digest: AlertDigest) async throws {
    try admitChange()
    let id = Request.ID(alert.text)
    let origin = answer.origin ?? .dashboard(id: dashboard)
    guard let other else { return try await broker.answer(id, answer, to: digest, by: origin) }
    _ = try await other.call(
      Methods.Answer.self,
      .init(
        id: id.text, answer: Wire.Response(answer), digest: digest.description, origin: origin.description))
  }
}
