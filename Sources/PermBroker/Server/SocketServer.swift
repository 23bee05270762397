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
      _ message: ArraySlice<UInt8>, _ socket: BrokerSocket, _ peer: Peer, _ replies: ReplyWriter
    ) async -> Bool

  /// Returns the program to which a peer's connection is charged; `nil` if the program is unknown. The function reads
  /// files that a hostile process can make slow to read. Therefore no thread that serves other clients waits for it.
  typealias Identify = @Sendable (Peer) -> ProgramKey?

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
  /// The time within which a Deno process must read a reply if earlier replies have filled the connection. Otherwise it
  /// could keep the broker from ending.
  private static let patienceForReader = TimeAmount.seconds(5)

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
      let place = enter(socket, CostAccount(.process(peer.pid), in: peer.family))
    else {
      close(descriptor)
      return
    }
    // The event loop group is shared by the whole process and never shut down, because a call that is being answered
    // when the server stops might outlast the server.
    ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture { try begin(channel, at: place, for: peer) }
      }
      .withConnectedSocket(descriptor)
      .whenFailure { [self] _ in leave(place) }
  }

  /// Begins to serve a connection. Its task is cancelled when the client disconnects.
  private func begin(_ channel: any Channel, at place: Place, for peer: Peer) throws {
    channel.closeFuture.whenComplete { [self] _ in leave(place) }
    guard note(channel, at: place) else { throw ChannelError.ioOnClosedChannel }
    let connection = try ClientConnection(channel)
    let task = Task.quiet { [self] in
      await admit(connection, place, peer)
      if place.socket == .deno {
        await converse(connection, peer)
      } else {
        await serve(connection, place, peer)
      }
    }
    channel.closeFuture.whenComplete { _ in task.cancel() }
  }

  /// Identifies the program behind a connection, and closes the connection if the program has too many. If one program
  /// could have too many connections at the socket, waits for that, but not longer than ``longestLook``.
  private func admit(_ connection: ClientConnection, _ place: Place, _ peer: Peer) async {
    guard place.socket != .control else { return }
    let (channel, mayBegin) = (connection.channel, OneShot<Void>())
    if state.withLock({ $0.doors[place.socket]?.isCrowded ?? false }) {
      channel.eventLoop.scheduleTask(in: Self.longestLook) { mayBegin.set(()) }
    } else {
      mayBegin.set(())
    }
    NIOThreadPool.singleton.runIfActive(eventLoop: channel.eventLoop) { [self] in
      identify(peer).map { identify(place, as: $0) } ?? true
    }.whenSuccess { mayStay in
      if !mayStay { channel.close(promise: nil) }
      mayBegin.set(())
    }
    await mayBegin.value
  }

  private func serve(_ connection: ClientConnection, _ place: Place, _ peer: Peer) async {
    let calls = MessageBuffer(limit: MessageBuffer.longestCall)
    try? await connection.answer(calls, idleLimit: idleLimit) { [self] message, replies in
      setIdle(false, place)
      defer { setIdle(true, place) }
      return await answer(message, place.socket, peer, replies)
    }
  }

  /// Answers a Deno process. Its connection is closed only if the process does not read, because Deno would end in the
  /// middle of its work.
  private func converse(_ connection: ClientConnection, _ peer: Peer) async {
    guard let (session, whenClosed) = deno(peer) else { return connection.channel.close(promise: nil) }
    defer { whenClosed() }
    try? await connection.answer(DenoLineBuffer()) { line, replies in
      await session.answer(line) { try? await replies.write($0, within: Self.patienceForReader) }
      return true
    }
  }

  // MARK: Doors

  /// Admits a new connection, and closes the connection that it displaces, if any. Returns `nil` if the new connection
  /// is refused.
  private func enter(_ socket: BrokerSocket, _ account: CostAccount) -> Place? {
    let (entry, leaving) = state.withLock { state -> (Door.Entry?, (any Channel)?) in
      let entry = state.doors[socket]?.enter(account)
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
  private func identify(_ place: Place, as program: ProgramKey) -> Bool {
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
