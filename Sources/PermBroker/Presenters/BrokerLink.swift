import Operations
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
  private let presenter: any AlertPresenter
  private let dashboard: String
  private let changes = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))

  private let hasLeft = Lock(false)

  /// - Parameters:
  ///   - presenter: What shows alerts here.
  ///   - dashboard: A random id, which marks what is decided here.
  public init(
    _ configuration: Broker.Configuration, at place: BrokerPlace, presenter: any AlertPresenter,
    dashboard: String
  ) {
    broker = Broker(configuration)
    broker.presenters.attach(presenter, dashboard: dashboard)
    self.place = place
    self.presenter = presenter
    self.dashboard = dashboard
  }

  /// Every new state, the newest first for who is slow. For one consumer.
  public var states: AsyncStream<State> { changes.stream }

  private func changed(_ state: State) { changes.continuation.yield(state) }

  /// How long it waits before it tries again, where another dashboard is just taking over.
  private static let pause = Duration.milliseconds(50)

  /// Keeps the dashboard connected until the task is cancelled, or until it cannot be.
  public func run() async {
    while !Task.isCancelled, !isLeaving {
      do {
        try await attach()
      } catch BrokerSocketError.nobodyListens, BrokerError.disconnected {
        if await !serve() { return }
      } catch {
        if !Task.isCancelled { changed(.off("\(error)")) }
        return
      }
    }
  }

  /// Leaves: from now on nothing that happens to the presenter answers anything. To be called before it goes away.
  public func leave() {
    hasLeft.withLock { $0 = true }
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

  /// Shows a broker's alerts until it goes away.
  private func attach() async throws {
    let client = BrokerClient(addresses: place.addresses)
    let messages = try client.replies(to: Methods.Attach.self, .init(dashboard: dashboard))
    var shown: [Alert.ID: Task<Void, Never>] = [:]
    defer { shown.values.forEach { $0.cancel() } }
    for try await message in messages {
      if message.show == nil, message.withdraw == nil { changed(.attached) }
      if let id = message.withdraw { shown.removeValue(forKey: Alert.ID(id))?.cancel() }
      guard let alert = try message.show?.alert() else { continue }
      shown[alert.id]?.cancel()
      shown[alert.id] = Task { await self.show(alert, client) }
    }
    throw BrokerError.disconnected
  }

  private func show(_ alert: Alert, _ client: BrokerClient) async {
    let response: AlertResponse
    do throws(AlertPresenterError) {
      response = try await presenter.present(alert)
    } catch {
      return await respond(alert.id, .declined, client)
    }
    guard !Task.isCancelled, !isLeaving else { return }
    switch response {
    case .answered(let answer): await respond(alert.id, .answered, client, answer)
    case .confirmed: await respond(alert.id, .confirmed, client)
    case .refused: await respond(alert.id, .refused, client)
    case .acknowledged: await respond(alert.id, .acknowledged, client)
    case .dismissed: await respond(alert.id, .dismissed, client)
    case .setAside:
      await respond(alert.id, .aside, client)
      guard (try? await presenter.waitUntilReopened(alert.id)) != nil else { return }
      await respond(alert.id, .reopened, client)
    }
  }

  private func respond(
    _ id: Alert.ID, _ response: Methods.Respond.Response, _ client: BrokerClient,
    _ answer: Answer? = nil
  ) async {
    // Somebody else may have been first, or the broker may be gone; either way there is nothing to tell here.
    _ = try? await client.call(
      Methods.Respond.self,
      .init(
        dashboard: dashboard, alert: id.text, response: response, answer: answer.map(Wire.Response.init)))
  }
}
