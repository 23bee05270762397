import Machine
public import PermModel

/// Connects a dashboard to the programs of this machine: as the broker itself, or as one of the places where the
/// broker's alerts are shown. When the broker goes away, it takes over.
public final class BrokerLink: Sendable {
  public enum State: Hashable, Sendable {
    /// The broker is in this process.
    case serving
    /// The broker is elsewhere and shows its alerts here too.
    case attached
    /// Programs cannot reach this dashboard: why.
    case off(String)
  }

  /// The broker of this process. Its slot and its desk are for everything modal here, also while another broker serves.
  public let broker: Broker
  private let place: BrokerPlace
  private let presenter: HandoverPresenter
  private let dashboard: String
  private let changes = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))

  private let hasLeft = Lock(false)
  private let attachment = Lock<PresenterAttachment?>(nil)

  /// - Parameters:
  ///   - presenter: What shows alerts here.
  ///   - dashboard: A random id, which marks what is decided here.
  public init(
    _ configuration: Broker.Configuration, at place: BrokerPlace, presenter: any AlertPresenter,
    dashboard: String
  ) {
    broker = Broker(configuration)
    self.presenter = HandoverPresenter(presenter)
    broker.presenters.attach(self.presenter, dashboard: dashboard)
    self.place = place
    self.dashboard = dashboard
  }

  /// Every new state, the newest first for who is slow. For one consumer.
  public var states: AsyncStream<State> { changes.stream }

  private func changed(_ state: State) { changes.continuation.yield(state) }

  /// How long it waits before it tries again, where another dashboard is just taking over.
  private static let pause = Duration.milliseconds(50)

  /// How long it waits before it tries again where it may not answer.
  private static let pauseAfterRefusal = Duration.seconds(5)

  /// Keeps the dashboard connected until the task is cancelled, or until it cannot be.
  public func run() async {
    while !Task.isCancelled, !isLeaving {
      do {
        try await attach()
      } catch BrokerSocketError.nobodyListens, BrokerError.disconnected {
        if await !serve() { return }
      } catch BrokerError.mayNotChange(let reason) {
        // That ends with the request of the program from which this dashboard descends.
        changed(.off(reason))
        if (try? await Task.sleep(for: Self.pauseAfterRefusal)) == nil { return }
      } catch {
        if !Task.isCancelled { changed(.off("\(error)")) }
        return
      }
    }
  }

  /// Leaves: from now on nothing that happens to the presenter answers anything. To be called before it goes away.
  public func leave() {
    hasLeft.withLock { $0 = true }
    attachment.withLock { $0 }?.leave()
    broker.willStop()
    broker.presenters.detach(dashboard: dashboard)
  }

  private var isLeaving: Bool { hasLeft.withLock { $0 } }

  /// Leaves, and ends the broker if it is in this process.
  public func stop() async {
    leave()
    await broker.stop()
  }

  // MARK: Serving

  /// Becomes the broker and stays it; `false` if there is nothing more to try.
  private func serve() async -> Bool {
    do {
      try broker.serve(ListeningSockets(lock: place.lock, candidates: place.addresses))
    } catch BrokerSocketError.inUse {
      return (try? await Task.sleep(for: Self.pause)) != nil
    } catch {
      changed(.off("\(error)"))
      return false
    }
    changed(.serving)
    // Nothing ends this but cancelling.
    for await _ in AsyncStream<Never>.makeStream().stream {}
    await stop()
    return false
  }

  // MARK: Attaching

  /// Shows a broker's alerts until it goes away. What is shown then stays for a moment: the next broker, which may be
  /// this very process, asks for the same.
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
      changed(.attached)
    }
  }

  /// How long the next broker may take to ask again for what is shown.
  private static let handover = Duration.seconds(2)

  private func handOver() {
    presenter.begin()
    Task { [presenter] in
      try? await Task.sleep(for: Self.handover)
      presenter.end()
    }
  }
}
