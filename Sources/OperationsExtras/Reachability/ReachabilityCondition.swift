import Machine
public import Operations

/// A condition that holds while the machine is connected to a network. If a host is given, it must also be reachable.
public struct ReachabilityCondition: OperationCondition {
  private let connectivity: Connectivity
  private let host: NetworkHost?
  private let waits: Bool
  private let interval: Duration
  fileprivate let network: any NetworkMonitor

  /// - Parameters:
  ///   - connectivity: The required kind of network. If a host is given and the kind is `.any`, no default
  ///     route is required.
  ///   - host: A host that must also be reachable.
  ///   - waits: Whether the operation waits for the network instead of failing. During the wait, the condition is
  ///     checked again whenever the kernel reports a change of the network. As with any remedy, ``Deadlines/human``
  ///     limits the wait.
  ///   - interval: The time between further checks while the operation waits for a host, measured by the
  ///     queue's clock. These checks are needed because a host might become reachable without any change of
  ///     this machine's network. Zero or less means no such checks.
  ///   - network: The source of the network's state; by default the kernel.
  public init(
    _ connectivity: Connectivity = .any, host: NetworkHost? = nil, waits: Bool = false,
    checkingEvery interval: Duration = .seconds(10), network: any NetworkMonitor = KernelNetwork()
  ) {
    self.connectivity = connectivity
    self.host = host
    self.waits = waits
    self.interval = interval
    self.network = network
  }

  public var name: String {
    let kind = connectivity == .any ? [] : [connectivity.rawValue]
    return "Reachability(\((kind + (host.map { [$0.name] } ?? [])).joined(separator: ", ")))"
  }

  public func makeRemedy() -> (any Operation)? {
    guard waits else { return nil }
    return WaitForNetwork(condition: self, interval: host == nil || interval <= .zero ? nil : interval)
  }

  public func evaluate(_ context: ConditionContext) async -> ConditionResult {
    do {
      try await check()
      return .satisfied
    } catch {
      return .failed(error, curable: waits && error.mayPass)
    }
  }

  /// Checks the condition once.
  ///
  /// - Throws: The reason why the condition does not hold.
  func check() async throws(ReachabilityError) {
    if host == nil || connectivity != .any {
      guard try network.state().isConnected(over: connectivity) else { throw .notConnected(connectivity) }
    }
    if let host { try await network.check(host) }
  }
}

/// An operation that waits until a reachability condition holds. It checks the condition after each change of the
/// network. If there is an interval, it also checks the condition regularly.
struct WaitForNetwork: Operation {
  let condition: ReachabilityCondition
  /// The time between checks that are made even if the network does not change; `nil` for no such checks.
  let interval: Duration?

  var name: String { "Wait for \(condition.name)" }

  func execute(_ context: OperationContext) async throws {
    let changes = try condition.network.changes()
    if try await holds() { return }
    let (occasions, occasion) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let clock = context.queue.clock
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in changes { occasion.yield() } }
      if let interval {
        group.addTask { while (try? await clock.sleep(for: interval.asWait)) != nil { occasion.yield() } }
      }
      for await _ in occasions where try await holds() { break }
      group.cancelAll()
    }
    try Task.checkCancellation()
  }

  private func holds() async throws(ReachabilityError) -> Bool {
    do {
      try await condition.check()
      return true
    } catch {
      guard error.mayPass else { throw error }
      return false
    }
  }
}

extension ReachabilityError {
  /// Whether a change of the network might resolve the error.
  fileprivate var mayPass: Bool {
    if case .unreadable = self { false } else { true }
  }
}

/// A reason why the network or a host cannot be reached.
public enum ReachabilityError: Error, Equatable, CustomStringConvertible {
  /// No default route leads through an interface that is up and of the required kind.
  case notConnected(Connectivity)
  /// The host's name could not be resolved.
  case unknownHost(String, reason: String)
  /// No route leads to the host.
  case noRoute(host: String)
  /// The host did not accept the connection.
  case noAnswer(host: String, port: UInt16, reason: String)
  /// The kernel did not report the state of the network.
  case unreadable(String, reason: String)

  public var description: String {
    switch self {
    case .notConnected(.any): "There is no network connection. Connect the machine to a network."
    case .notConnected(.notMobile): "There is no connection but a mobile one. Connect to another network."
    case .notConnected(let connectivity): "There is no \(connectivity.rawValue) network connection."
    case .unknownHost(let host, let reason): "The host “\(host)” is not known: \(reason)."
    case .noRoute(let host): "No route leads to “\(host)”."
    case .noAnswer(let host, let port, let reason): "“\(host)” does not answer on port \(port): \(reason)."
    case .unreadable(let source, let reason):
      "The state of the network could not be read from \(source): \(reason)."
    }
  }
}
