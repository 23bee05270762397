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
    try await BlockingCall.run { HostProbe(host: host).result() }.get()
  }
}
