/// Why something cannot be reached over the network.
public enum ReachabilityError: Error, Equatable, CustomStringConvertible {
  /// No default route through an interface of that kind that is up.
  case notConnected(Connectivity)
  /// The host's name could not be resolved.
  case unknownHost(String, reason: String)
  /// No route leads to the host.
  case noRoute(host: String)
  /// The host did not take the connection.
  case noAnswer(host: String, port: UInt16, reason: String)
  /// The kernel did not tell the state of the network.
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
