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

  /// The broker object of this process. All modal alerts of this process use the slot and the desk of this object, even
  /// while another process serves as the broker.
  package let broker: Broker
  private let place: BrokerPlace
  private let presenter: HandoverPresenter
  private let dashboard: String
  private let changes = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(4))

  private let state = Lock<State?>(nil)
  /// The reason why the broker in another process does not admit this dashboard; `nil` if there is none.
  private let obstacle = Lock<(any Error)?>(nil)
  private let hasLeft = Lock(false)
  private let isOnHold = Lock(false)
  private let attachment = Lock<PresenterAttachment?>(nil)

  /// - Parameters:
  ///   - presenter: The presenter that shows alerts in this process.
  ///   - dashboard: The dashboard's random id, which is recorded with every decision made in this dashboard.
  package init(
    _ configuration: Broker.Configuration, at place: BrokerPlace, presenter: any AlertPresenter,
    dashboard: String
  ) {
    broker = Broker(configuration)
    self.presenter = HandoverPresenter(presenter)
    broker.keeper.attach(self.presenter, dashboard: dashboard)
    self.place = place
    self.dashboard = dashboard
  }

  /// A stream of the link's states, for a single consumer. A slow consumer sees only the latest few states.
  package var states: AsyncStream<State> { changes.stream }

  private func changed(_ state: State) {
    self.state.withLock { $0 = state }
    if state == .serving || state == .attached { obstacle.withLock { $0 = nil } }
    changes.continuation.yield(state)
  }

  /// The time between two attempts to attach while another dashboard is becoming the broker.
  private static let pause = Duration.milliseconds(50)

  /// The time before the next attempt to attach after the broker has refused an attempt or has not answered it.
  private static let pauseAfterRefusal = Duration.seconds(5)

  /// Keeps the dashboard connected until the task is cancelled, ``leave()`` is called, or the connection
  /// fails permanently.
  package func run() async {
    while !Task.isCancelled, !isLeaving {
      do {
        try await attach()
      } catch BrokerSocketError.nobodyListens, BrokerError.disconnected {
        if await !serve() { return }
      } catch {
        if Task.isCancelled { return }
        obstacle.withLock { $0 = Self.mayPass(error) ? error : nil }
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
    attachment.withLock { $0 }?.noteLook()
  }

  /// Tells the broker whether this dashboard holds alerts, so that none comes up by itself.
  package func hold(_ isOnHold: Bool) {
    self.isOnHold.withLock { $0 = isOnHold }
    broker.keeper.hold(isOnHold, dashboard: dashboard)
    attachment.withLock { $0 }?.hold(isOnHold)
  }

  /// Waits until the broker, in this process or elsewhere, has taken the response to an alert that has been answered.
  package func waitUntilTaken(_ id: Alert.ID) async {
    await broker.slot.waitUntilTaken(id)
    await attachment.withLock { $0 }?.waitUntilSent(id)
  }

  /// Detaches the presenter, so that its responses no longer have any effect. Call this before the presenter goes away.
  package func leave() {
    hasLeft.withLock { $0 = true }
    attachment.withLock { $0 }?.leave()
    broker.willStop()
    broker.keeper.detach(dashboard: dashboard)
  }

  private var isLeaving: Bool { hasLeft.withLock { $0 } }

  /// Detaches the presenter, and stops the broker if it is serving in this process.
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

  /// Shows a broker's alerts until the broker goes away. The alerts on the screen at that time remain there for
  /// ``handover``, so that the next broker can present them again. That broker might be in this process.
  private func attach() async throws {
    let attachment = PresenterAttachment(
      BrokerClient(addresses: place.addresses), presenter: presenter, dashboard: dashboard)
    self.attachment.withLock { $0 = attachment }
    let wasAttached = Lock(false)
    defer {
      if wasAttached.withLock(\.self), !isLeaving, !Task.isCancelled { handOver() }
      attachment.withdraw()
    }
    try await attachment.run { [self] in
      wasAttached.withLock { $0 = true }
      if isOnHold.withLock(\.self) { attachment.hold(true) }
      changed(.attached)
    }
  }

  /// The time for which alerts remain on the screen while waiting for the next broker to present them again.
  private static let handover = Duration.seconds(2)

  private func handOver() {
    // This is only announced. Until there is another broker, calls still go to the one that has gone, and fail.
    changes.continuation.yield(.lost)
    let handover = presenter.begin()
    Task.quiet { [presenter] in
      try? await QuietClock.sleep(for: Self.handover)
      presenter.end(handover)
    }
  }
}

// MARK: - Answering

extension BrokerLink: RequestAnswering {
  /// Checks that this dashboard is allowed to change something. A broker in another process might not have admitted it,
  /// for example because a program whose request waits has started it.
  package func admitChange() throws {
    if let obstacle = obstacle.withLock(\.self) { throw obstacle }
    if state.withLock({ $0 == nil }) {
      throw BrokerError.store(reason: "no broker is connected yet; try again")
    }
  }

  /// The broker in another process to which this dashboard is attached; `nil` if there is none.
  private var other: BrokerClient? {
    state.withLock { $0 == .attached } ? BrokerClient(addresses: place.addresses) : nil
  }

  package func pending() async throws -> [PendingRequest] {
    guard let other else { return try broker.pending(by: .dashboard(id: dashboard)).requests }
    return try await other.call(Methods.Pending.self, .init()).requests.map { try $0.pending() }
  }

  package func answer(_ id: Request.ID, _ answer: Answer, to digest: AlertDigest) async throws {
    try admitChange()
    let origin = answer.origin ?? .dashboard(id: dashboard)
    guard let other else { return try await broker.answer(id, answer, to: digest, by: origin) }
    _ = try await other.call(
      Methods.Answer.self,
      .init(
        id: id.text, answer: Wire.Response(answer), digest: digest.description, origin: origin.description))
  }
}
