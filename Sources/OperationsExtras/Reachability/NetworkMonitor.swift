import Machine

/// A source of the network's state. `KernelNetwork` queries the kernel; tests provide their own sources.
public protocol NetworkMonitor: Sendable {
  /// Returns the current state.
  ///
  /// - Throws: `ReachabilityError.unreadable` if the kernel does not report the state.
  func state() throws(ReachabilityError) -> NetworkState

  /// Returns a sequence with an element whenever interfaces, addresses or routes might have changed. Each call returns
  /// a new sequence, which includes every change after the call.
  ///
  /// - Throws: `ReachabilityError.unreadable` if the kernel does not report changes.
  func changes() throws(ReachabilityError) -> AsyncStream<Void>

  /// Tests whether a host can be reached.
  ///
  /// - Throws: The reason why the host cannot be reached.
  func check(_ host: NetworkHost) async throws(ReachabilityError)
}

/// A host, and the requirements for considering it reachable.
public struct NetworkHost: Sendable, Equatable {
  /// A name or an address.
  public var name: String
  /// A TCP port that must accept a connection. If the port is `nil`, it is enough that the name resolves and a route
  /// leads to the host; nothing is then sent.
  public var port: UInt16?
  /// The maximum time to wait for the connection.
  public var patience: Duration

  public init(_ name: String, port: UInt16? = nil, patience: Duration = .seconds(5)) {
    self.name = name
    self.port = port
    self.patience = patience
  }
}

/// The network as the Linux kernel reports it. Interfaces come from `/sys/class/net`, routes from `/proc/net`, and
/// changes from a netlink socket. Hosts are checked by resolving their names and connecting sockets.
public struct KernelNetwork: NetworkMonitor {
  private let files: NetworkFiles

  public init() { self.init(root: "") }

  /// - Parameter root: The folder that contains the folders `proc` and `sys`.
  init(root: String) { files = NetworkFiles(root: root) }

  public func state() throws(ReachabilityError) -> NetworkState { try files.state() }

  public func changes() throws(ReachabilityError) -> AsyncStream<Void> { try RouteSocket.changes() }

  public func check(_ host: NetworkHost) async throws(ReachabilityError) {
    try await BlockingThread.run { HostProbe(host: host).result() }.get()
  }
}
