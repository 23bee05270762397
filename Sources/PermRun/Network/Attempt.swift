import CWalls
import Machine
import PermModel

/// A call that a person may have to allow: what the program wants, as it was when the call was taken.
struct Attempt: Sendable {
  let call: WaitingCall
  let target: Target
  /// The socket for which the call was made.
  let cookie: UInt64

  enum Target: Sendable {
    /// The kernel decides: the address leads to nothing but the run's own network.
    case inside(SocketAddress)
    /// This port of the run's own network or, if nobody listens there, of the machine.
    case local(SocketAddress)
    case host(Host, port: UInt16)
    /// A socket of the Unix family.
    case path([UInt8])
    /// The name at which a socket of the Unix family is to be bound.
    case newPath([UInt8])
  }
}

extension NetworkWarden {
  func begin(_ call: WaitingCall) {
    call.perform { () throws(Failure) in
      let socket = try TakenSocket(call)
      if call.request.call == Int32(walls_call_listen.rawValue) { return try listen(call, socket) }
      let address = try call.address()
      let isBind = call.request.call == Int32(walls_call_bind.rawValue)
      let target = isBind ? try place(address, socket) : try target(address, socket)
      return try perform(Attempt(call: call, target: target, cookie: socket.facts.cookie), socket)
    }
  }

  /// Goes on with an attempt after a person was asked, on another thread.
  func proceed(_ attempt: Attempt) {
    if !workers.run({ self.perform(attempt) }) { attempt.call.end(EAGAIN) }
  }

  private func perform(_ attempt: Attempt) {
    attempt.call.perform { () throws(Failure) in
      let socket = try TakenSocket(attempt.call)
      // Another thread can have closed the descriptor, and opened something else.
      guard socket.facts.cookie == attempt.cookie else { throw Failure(EBADF) }
      return try perform(attempt, socket)
    }
  }

  private func perform(_ attempt: Attempt, _ socket: TakenSocket) throws(Failure) -> WaitingCall.Outcome {
    switch attempt.target {
    case .inside(let address): try complete(attempt.call, address, socket)
    case .local(let address): try connectHere(attempt, address, socket)
    case .host(let host, let port): try connectOutside(attempt, host, port, socket)
    case .path(let path): try connectLocal(attempt, path, socket)
    case .newPath(let path): try bindLocal(attempt, path, socket)
    }
  }

  /// Makes a call on the program's own socket, whose network is the run's own.
  private func complete(
    _ call: WaitingCall, _ address: SocketAddress, _ socket: TakenSocket
  ) throws(Failure) -> WaitingCall.Outcome {
    let isBind = call.request.call == Int32(walls_call_bind.rawValue)
    try workers.waiting { () throws(Failure) in
      try address.with { isBind ? bind(socket.descriptor, $0, $1) : connect(socket.descriptor, $0, $1) }
    }
    return .ends(0)
  }

  private func listen(_ call: WaitingCall, _ socket: TakenSocket) throws(Failure) -> WaitingCall.Outcome {
    guard own.has(socket.facts) else { throw Failure(EINVAL) }
    _ = try checked(CWalls.listen(socket.descriptor, call.request.number))
    return .ends(0)
  }

  // MARK: Targets

  private func place(_ address: SocketAddress, _ socket: TakenSocket) throws(Failure) -> Attempt.Target {
    guard own.has(socket.facts) else { throw Failure(EINVAL) }
    guard socket.facts.family == AF_UNIX else { return .inside(address) }
    // Names without a file are not shared by the programs of a run.
    guard address.family == AF_UNIX, !address.path.isEmpty else { throw Failure(EPERM) }
    return .newPath(address.path)
  }

  private func target(_ address: SocketAddress, _ socket: TakenSocket) throws(Failure) -> Attempt.Target {
    // A connection that was made outside is never used for another one.
    guard own.has(socket.facts) else { throw Failure(address.family == AF_UNSPEC ? EOPNOTSUPP : EISCONN) }
    if socket.facts.family == AF_UNIX {
      guard address.family == AF_UNIX else { throw Failure(EINVAL) }
      guard !address.path.isEmpty else { throw Failure(ECONNREFUSED) }
      return .path(address.path)
    }
    guard socket.isOfInternet, address.family == socket.facts.family, let host = address.address else {
      return .inside(address)
    }
    return try target(address, host, isStream: socket.isStream)
  }

  private func target(
    _ address: SocketAddress, _ host: Address, isStream: Bool
  ) throws(Failure) -> Attempt.Target {
    if host.ofLoopback != nil { return isStream ? .local(address) : .inside(address) }
    if host.number == walls_own_address { return .inside(address) }
    guard isStream, address.port > 0 else { throw Failure(isStream ? ECONNREFUSED : ENETUNREACH) }
    let name = state.withLock { $0.names.name(of: host) }
    guard let found = name ?? (RunNames.mayStand(host) ? nil : host.host) else { throw Failure(ENETUNREACH) }
    return .host(found, port: address.port)
  }
}
