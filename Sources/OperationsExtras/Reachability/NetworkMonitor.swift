import Machine

/// Knows the state of the network. `KernelNetwork` asks the kernel; tests bring their own.
public protocol NetworkMonitor: Sendable {
  /// The state now.
  ///
  /// - Throws: `ReachabilityError.unreadable`.
  func state() throws(ReachabilityError) -> NetworkState

  /// An element each time that something about interfaces, addresses or routes may have changed. Each call gives a
  /// new sequence; what changes from the call on is not missed.
  ///
  /// - Throws: `ReachabilityError.unreadable`.
  func changes() throws(ReachabilityError) -> AsyncStream<Void>

  /// Tries whether a host can be reached.
  ///
  /// - Throws: why not.
  func check(_ host: NetworkHost) async throws(ReachabilityError)
}

/// A host, and what about it is to be checked.
public struct NetworkHost: Sendable, Equatable {
  /// A name or an address.
  public var name: String
  /// A TCP port that has to answer; without one it is enough that the name is known and a route leads there, and
  /// nothing is sent to the host.
  public var port: UInt16?
  /// How long to wait for the answer.
  public var patience: Duration

  public init(_ name: String, port: UInt16? = nil, patience: Duration = .seconds(5)) {
    self.name = name
    self.port = port
    self.patience = patience
  }
}

/// The network as the Linux kernel tells it: interfaces from `/sys/class/net`, routes from `/proc/net`, changes from
/// a netlink socket, hosts by name resolution and the kernel's choice of a route.
public struct KernelNetwork: NetworkMonitor {
  private let files: NetworkFiles

  public init() { self.init(root: "") }

  /// - Parameter root: Where `/proc` and `/sys` are.
  init(root: String) { files = NetworkFiles(root: root) }

  public func state() throws(ReachabilityError) -> NetworkState { try files.state() }

  public func changes() throws(ReachabilityError) -> AsyncStream<Void> { try RouteSocket.changes() }

  public func check(_ host: NetworkHost) async throws(ReachabilityError) {
    try await BlockingThread.run { HostProbe(host: host).result() }.get()
  }
}
