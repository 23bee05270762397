import CWalls
import PermModel

// Connections of the internet.
extension NetworkWarden {
  /// Connects to a port of the run's own network or, if nobody listens there, asks for the port of the machine.
  func connectHere(
    _ attempt: Attempt, _ address: SocketAddress, _ socket: TakenSocket
  ) throws(Failure) -> WaitingCall.Outcome {
    let code = workers.waiting { Self.connect(socket, to: address) }
    guard code == ECONNREFUSED, address.port > 0 else { return .ends(code) }
    guard let loopback = address.address?.ofLoopback else { throw Failure(ECONNREFUSED) }
    let route = Route(loopback, port: address.port, .thisMachine, isBehindName: false)
    guard try permit(route.names, for: attempt, Self.remark(address.port)) else { return .waits }
    return try reach([route], [route.names], address.port, attempt, socket)
  }

  /// Connects a program's own socket. Returns 0, or an error number.
  private static func connect(
    _ socket: TakenSocket, to address: SocketAddress, isAgain: Bool = false
  ) -> Int32 {
    do throws(Failure) {
      try address.with { CWalls.connect(socket.descriptor, $0, $1) }
      return 0
    } catch {
      // A refusal that was looked at before a person was asked stays with the socket until the next attempt.
      if error.code == ECONNABORTED, !isAgain { return connect(socket, to: address, isAgain: true) }
      guard error.code == EINPROGRESS else { return error.code }
      // Inside, the answer is there at once, unless a server is busy.
      let code = walls_await_connection(socket.descriptor, 100)
      return code == ETIMEDOUT ? EINPROGRESS : code
    }
  }

  private static func remark(_ port: UInt16) -> String {
    "nobody listens at port \(port) inside; localhost:\(port) is \(Address.Place.thisMachine.rawValue)"
  }

  /// Connects to a host. Its addresses are looked up once it is allowed, and those that are not everyone's are asked about,
  /// too: a name can lead anywhere.
  func connectOutside(
    _ attempt: Attempt, _ host: Host, _ port: UInt16, _ socket: TakenSocket
  ) throws(Failure) -> WaitingCall.Outcome {
    let named = NetworkUse.host(HostUse(host: host, port: port))
    guard try permit([named], for: attempt) else { return .waits }
    let routes = try routes(to: host, port)
    let known = routes.filter { !$0.isSpecial || ruling(onAny: $0.names) == .allowed }
    if !known.isEmpty { return try reach(known, [[named]], port, attempt, socket) }
    let first = routes[0]
    let remark = "\(host) leads to \(first.host), \(first.place.rawValue)"
    guard try permit(first.names, for: attempt, remark) else { return .waits }
    return try reach([first], [[named]], port, attempt, socket)
  }

  /// Returns the ways to a host that nobody has denied.
  private func routes(to host: Host, _ port: UInt16) throws(Failure) -> [Route] {
    if host.isAddress, let address = Resolver.addresses(of: host).first {
      return [Route(address, port: port, .anywhere, isBehindName: false)]
    }
    let own = Address.own
    let routes = workers.waiting { Resolver.addresses(of: host) }.map {
      Route($0, port: port, $0.place(own: own), isBehindName: true)
    }
    guard !routes.isEmpty else { throw Failure(EHOSTUNREACH) }
    let left = routes.filter { ![.denied, .suspended].contains(ruling(onAny: $0.names)) }
    guard !left.isEmpty else { throw .denied }
    return left
  }

  private func reach(
    _ routes: [Route], _ needed: [[NetworkUse]], _ port: UInt16, _ attempt: Attempt, _ socket: TakenSocket
  ) throws(Failure) -> WaitingCall.Outcome {
    let (made, place) = try OutsideSocket.connected(
      to: routes.map(\.address), port: port, like: socket, on: workers
    ) { attempt.call.isWaiting }
    let route = routes[place]
    try note(
      made.facts,
      Permission(needed: needed + (route.isSpecial ? [route.names] : []), unopposed: [route.names]))
    try put(made.descriptor, attempt)
    return .ends(made.isConnected ? 0 : EINPROGRESS)
  }

  /// Puts a socket of the host's network in the place of the program's own.
  func put(_ made: Int32, _ attempt: Attempt) throws(Failure) {
    // Another thread can have closed the descriptor, and opened something else in its place.
    guard try TakenSocket(attempt.call).facts.cookie == attempt.cookie else { throw Failure(EBADF) }
    try attempt.call.put(made)
  }
}

/// An address to which a host leads.
struct Route: Sendable {
  let address: Address
  let host: String
  let place: Address.Place
  /// The names under which the address can be allowed or denied.
  let names: [NetworkUse]

  /// Whether the address is no one's whom anybody on the internet could mean.
  var isSpecial: Bool { place != .anywhere }

  init(_ address: Address, port: UInt16, _ place: Address.Place, isBehindName: Bool) {
    self.address = address
    self.place = place
    let own = address.host
    let isLoopback = address.ofLoopback == address
    let hosts = isLoopback ? [try? Host("localhost"), own] : [own]
    host = own?.name ?? ""
    names = hosts.compactMap(\.self).enumerated().map { index, host in
      .host(HostUse(host: host, port: port, isBehindName: isBehindName || index > 0))
    }
  }
}
