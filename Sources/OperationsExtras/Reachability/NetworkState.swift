/// The machine's network as the kernel sees it: its interfaces, and its routes to the rest of the world.
public struct NetworkState: Sendable, Equatable {
  public var interfaces: [NetworkInterface]
  /// The routes that lead everywhere, in the kernel's order.
  public var defaultRoutes: [NetworkRoute]

  public init(interfaces: [NetworkInterface] = [], defaultRoutes: [NetworkRoute] = []) {
    self.interfaces = interfaces
    self.defaultRoutes = defaultRoutes
  }

  /// Whether there is a way out: a default route through an interface that is up and of the wanted kind.
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
    /// An interface on top of others: a tunnel, a bridge, a VPN.
    case virtual
  }

  public var name: String
  public var kind: Kind
  /// Whether it is switched on and its link works.
  public var isUp: Bool

  public init(name: String, kind: Kind, isUp: Bool) {
    self.name = name
    self.kind = kind
    self.isUp = isUp
  }
}

/// A route that leads everywhere.
public struct NetworkRoute: Sendable, Equatable {
  public enum Family: String, Sendable { case ipv4, ipv6 }

  public var interface: String
  public var family: Family

  public init(interface: String, family: Family) {
    self.interface = interface
    self.family = family
  }
}

/// The kinds of network that a connection may use.
public enum Connectivity: String, Sendable, CaseIterable {
  case any, wired, wireless
  /// Any but a mobile network, whose traffic costs money.
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
