import Machine

/// A source of the network's state. `KernelNetwork` asks the kernel; tests provide their own.
public protocol NetworkMonitor: Sendable {
  /// Returns the current state.
  ///
  /// - Throws: `ReachabilityError.unreadable`.
  func state() throws(ReachabilityError) -> NetworkState

  /// Returns a sequence with an element for each possible change of interfaces, addresses or routes. Each call returns
  /// a new sequence; changes from the call on are not missed.
  ///
  /// - Throws: `ReachabilityError.unreadable`.
  func changes() throws(ReachabilityError) -> AsyncStream<Void>

  /// Tests whether a host can be reached.
  ///
  /// - Throws: The reason why it cannot.
  func check(_ host: NetworkHost) async throws(ReachabilityError)
}

/// A host, and the extent of the check.
public struct NetworkHost: Sendable, Equatable {
  /// A name or an address.
  public var name: String
  /// A TCP port that has to answer. Without one, the name must be known and a route must lead to the host, but nothing
  /// is sent to it.
  public var port: UInt16?
  /// The maximum time to wait for the answer.
  public var patience: Duration

  public init(_ name: String, port: UInt16? = nil, patience: Duration = .seconds(5)) {
    self.name = name
    self.port = port
    self.patience = patience
  }
}

/// The network as the Linux kernel reports it: interfaces from `/sys/class/net`, routes from `/proc/net`, changes from
/// a netlink socket, hosts by name resolution and the kernel's choice of a route.
public struct KernelNetwork: NetworkMonitor {
  private let files: NetworkFiles

  public init() { self.init(root: "") }

  /// - Parameter root: The folder that contains `/proc` and `/sys`.
  init(root: String) { files = NetworkFiles(root: root) }

  public func state() throws(ReachabilityError) -> NetworkState { try files.state() }

  public func changes() throws(ReachabilityError) -> AsyncStream<Void> { try RouteSocket.changes() }

  public func check(_ host: NetworkHost) async throws(ReachabilityError) {
    try await BlockingThread.run { HostProbe(host: host).result() }.get()
  }
}
