/// The machine's network as the kernel sees it: its interfaces and its default routes.
public struct NetworkState: Sendable, Equatable {
  public var interfaces: [NetworkInterface]
  /// The default routes, which lead to any destination, in the kernel's order.
  public var defaultRoutes: [NetworkRoute]

  public init(interfaces: [NetworkInterface] = [], defaultRoutes: [NetworkRoute] = []) {
    self.interfaces = interfaces
    self.defaultRoutes = defaultRoutes
  }

  /// Returns whether the machine is connected, which means that a default route leads through an interface that is up
  /// and of the required kind.
  public func isConnected(over connectivity: Connectivity = .any) -> Bool {
    defaultRoutes.contains { route in
      interfaces.contains { $0.name == route.interface && $0.isUp && connectivity.includes($0.kind) }
    }
  }
}

/// One of the machine's network interfaces.
public struct NetworkInterface: Sendable, Equatable {
  /// The kind of link behind an interface.
  public enum Kind: String, Sendable, CaseIterable {
    case loopback, wired, wireless, mobile
    /// An interface built on top of others, such as a tunnel, a bridge or a VPN.
    case virtual
  }

  public var name: String
  public var kind: Kind
  /// Whether the interface is switched on and its link works.
  public var isUp: Bool

  public init(name: String, kind: Kind, isUp: Bool) {
    self.name = name
    self.kind = kind
    self.isUp = isUp
  }
}

/// A default route, which leads to any destination.
public struct NetworkRoute: Sendable, Equatable {
  public enum Family: String, Sendable { case ipv4, ipv6 }

  public var interface: String
  public var family: Family

  public init(interface: String, family: Family) {
    self.interface = interface
    self.family = family
  }
}

/// The kinds of network that a connection is allowed to use.
public enum Connectivity: String, Sendable, CaseIterable {
  case any, wired, wireless
  /// Any network except a mobile one, whose traffic might cost money.
  case notMobile

  func includes(_ kind: NetworkInterface.Kind) -> Bool {
    switch self {
    case .any: kind != .loopback
    case .wired: kind == .wired
    case .wireless: kind == .wireless
    case .notMobile: kind != .loopback && kind != .mobile
    }
  }
}
