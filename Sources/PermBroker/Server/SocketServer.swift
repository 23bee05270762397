import Glibc
import Machine
import NIOCore
import NIOPosix
import Operations
import PermModel

/// A server that accepts connections on a broker's sockets and passes each call to a closure that answers it.
final class SocketServer: Sendable {
  /// Answers a message, given the socket at which it arrived and the peer that sent it. If the closure returns `false`,
  /// the connection is closed.
  typealias Answer =
    @Sendable (
      _ message: [UInt8], _ socket: BrokerSocket, _ peer: Peer, _ replies: ReplyWriter
    ) async -> Bool

  /// Returns the program to which a peer's connection is charged; `nil` if the program is unknown. The function reads
  /// files that a hostile process can make slow to read. Therefore no thread that serves other clients waits for it.
  typealias Identify = @Sendable (Peer) -> Asker?

  /// The maximum number of open connections at each socket. The limits are separate, because a flood of requests must
  /// not prevent a person from answering.
  static let mostConnections: [BrokerSocket: Int] = [.ask: 1_200, .control: 200, .deno: 1_000]
  /// The time after which a connection without a call is closed.
  static let idleLimit = Duration.seconds(60)
  /// The maximum number of connections of one program at the sockets for programs.
  static let mostOfOneProgram = 100

  /// Begins the conversation with a Deno process, given a function to call when its connection is closed. Returns `nil`
  /// to turn the process away.
  typealias Deno =
    @Sendable (Peer) -> (session: DenoSession, whenClosed: @Sendable () -> Void)?

  private let connections: OpenConnections
  private let acceptor: Lock<Acceptor>

  /// Starts serving, and takes ownership of the descriptors.
  init(
    _ descriptors: [BrokerSocket: Int32], idleLimit: Duration = idleLimit,
    identify: @escaping Identify = { _ in nil }, deno: @escaping Deno = { _ in nil },
    answer: @escaping Answer
  ) throws(SystemError) {
    raiseDescriptorLimit()
    let connections = OpenConnections(
      idleLimit: TimeAmount(idleLimit), identify: identify, deno: deno, answer: answer)
    self.connections = connections
    acceptor = Lock(try Acceptor(descriptors) { connections.welcome($0, at: $1) })
  }

  /// Accepts connections at other sockets from now on, and takes ownership of their descriptors. Connections stay open.
  func accept(at descriptors: [BrokerSocket: Int32]) async throws(SystemError) {
    let next = try Acceptor(descriptors) { [connections] in connections.welcome($0, at: $1) }
    let former = acceptor.withLock { acceptor in
      defer { acceptor = next }
      return acceptor
    }
    await former.stop()
  }

  /// Stops accepting connections, and closes those that are open. This cancels the calls that are being answered.
  func stop() async {
    await acceptor.withLock(\.self).stop()
    for channel in connections.end() { try? await channel.close() }
  }
}

/// Raises this process's limit on open descriptors. A thousand waiting clients need a thousand descriptors,
/// and many systems allow that many only on request.
private func raiseDescriptorLimit() {
  var limit = rlimit()
  guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
  limit.rlim_cur = max(limit.rlim_cur, min(4096, limit.rlim_max))
  _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

private final class OpenConnections: Sendable {
  /// The socket at which a connection was admitted, and the connection's ticket at that socket's door.
  private struct Place: Sendable {
    var socket: BrokerSocket
    var ticket: Door.Ticket
  }

  private struct State {
    var doors: [BrokerSocket: Door] = SocketServer.mostConnections.reduce(into: [:]) { doors, door in
      doors[door.key] = Door(
        limit: door.value, mostOfOneProgram: door.key == .control ? nil : SocketServer.mostOfOneProgram,
        displaces: door.key != .deno)
    }
    var channels: [BrokerSocket: [Door.Ticket: any Channel]] = [:]
    var hasEnded = false
  }

  /// The maximum time for which calls are delayed while the program behind the connection is being identified, because
  /// many connections are open.
  private static let longestLook = TimeAmount.milliseconds(200)

  private let state = Lock(State())
  private let idleLimit: TimeAmount
  private let identify: SocketServer.Identify
  private let deno: SocketServer.Deno
  private let answer: SocketServer.Answer

  init(
    idleLimit: TimeAmount, identify: @escaping SocketServer.Identify, deno: @escaping SocketServer.Deno,
    answer: @escaping SocketServer.Answer
  ) {
    self.idleLimit = idleLimit
    self.identify = identify
    self.deno = deno
    self.answer = answer
  }

  /// Admits a connection if it comes from the same user or from root, and if the socket's door has a place for it.
  func welcome(_ descriptor: Int32, at socket: BrokerSocket) {
    guard let peer = try? Peer(of: descriptor), peer.user == geteuid() || peer.user == 0,
      let place = enter(socket, Payer(.process(peer.pid), in: Family(of: peer.pid)))
    else {
      close(descriptor)
      return
    }
    // The event loop group is shared by the whole process and never shut down, because a call that is being answered
    // when the server stops might outlast the server.
    ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture { try prepare(channel, at: place, for: peer, descriptor) }
      }
      .withConnectedSocket(descriptor)
      .whenComplete { [self] result in
        switch result {
        case .success(let channel): begin(channel, place, peer)
        case .failure: leave(place)
        }
      }
  }

  private func prepare(
    _ channel: any Channel, at place: Place, for peer: Peer, _ descriptor: Int32
  ) throws {
    channel.closeFuture.whenComplete { [self] _ in leave(place) }
    guard note(channel, at: place) else { throw ChannelError.ioOnClosedChannel }
    try ConnectionHandler.setOptions(of: channel)
    if place.socket == .deno {
      guard let (session, whenClosed) = deno(peer) else { throw ChannelError.ioOnClosedChannel }
      channel.closeFuture.whenComplete { _ in whenClosed() }
      return try channel.pipeline.syncOperations.addHandler(DenoHandler(session, SocketCopy(of: descriptor)))
    }
    let handler = ConnectionHandler(idleLimit: idleLimit) { [self] in
      setIdle($0, place)
    } answer: { [answer] message, replies in
      await answer(message, place.socket, peer, replies)
    }
    try channel.pipeline.syncOperations.addHandler(handler)
  }

  /// Begins to read calls. If one program could have too many connections at the socket, begins only when the program
  /// behind this one has been identified, or when ``longestLook`` has passed.
  private func begin(_ channel: any Channel, _ place: Place, _ peer: Peer) {
    guard place.socket != .control else { return open(channel) }
    let isCrowded = state.withLock { $0.doors[place.socket]?.isCrowded ?? false }
    if !isCrowded { open(channel) }
    let patience =
      isCrowded ? channel.eventLoop.scheduleTask(in: Self.longestLook) { [self] in open(channel) } : nil
    NIOThreadPool.singleton.runIfActive(eventLoop: channel.eventLoop) { [self] in
      identify(peer).map { identify(place, as: $0) } ?? true
    }.whenSuccess { [self] mayStay in
      patience?.cancel()
      if mayStay { open(channel) } else { channel.close(promise: nil) }
    }
  }

  private func open(_ channel: any Channel) {
    channel.eventLoop.execute {
      let pipeline = channel.pipeline.syncOperations
      if let context = try? pipeline.context(handlerType: ConnectionHandler.self) {
        (context.handler as? ConnectionHandler)?.open(context)
      } else if let context = try? pipeline.context(handlerType: DenoHandler.self) {
        (context.handler as? DenoHandler)?.open(context)
      }
    }
  }

  // MARK: Doors

  /// Admits a new connection, and closes the connection that it displaces, if any. Returns `nil` if the new connection
  /// is refused.
  private func enter(_ socket: BrokerSocket, _ payer: Payer) -> Place? {
    let (entry, leaving) = state.withLock { state -> (Door.Entry?, (any Channel)?) in
      let entry = state.doors[socket]?.enter(payer)
      return (entry, entry?.leaving.flatMap { state.channels[socket]?.removeValue(forKey: $0) })
    }
    leaving?.close(promise: nil)
    return entry.map { Place(socket: socket, ticket: $0.ticket) }
  }

  /// Stores the channel of an admitted connection. Returns `false` if the connection has lost its place or
  /// the server has stopped.
  private func note(_ channel: any Channel, at place: Place) -> Bool {
    state.withLock { state in
      // By now, a newer connection might have displaced this one.
      guard !state.hasEnded, state.doors[place.socket]?.holds(place.ticket) == true else { return false }
      state.channels[place.socket, default: [:]][place.ticket] = channel
      return true
    }
  }

  /// Assigns a connection to its program. Returns `false` if that program has too many connections.
  private func identify(_ place: Place, as program: Asker) -> Bool {
    state.withLock { $0.doors[place.socket]?.identify(place.ticket, as: program) ?? true }
  }

  private func setIdle(_ isIdle: Bool, _ place: Place) {
    state.withLock { $0.doors[place.socket]?.setIdle(isIdle, place.ticket) }
  }

  private func leave(_ place: Place) {
    state.withLock { state in
      state.doors[place.socket]?.leave(place.ticket)
      state.channels[place.socket]?[place.ticket] = nil
    }
  }

  /// Stops admitting connections, and returns those that are open.
  func end() -> [any Channel] {
    state.withLock { state in
      state.hasEnded = true
      return state.channels.values.flatMap(\.values)
    }
  }
}
