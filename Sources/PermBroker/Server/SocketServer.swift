import Glibc
import NIOCore
import NIOPosix
import Operations

/// Accepts connections on a broker's sockets and has each call answered.
final class SocketServer: Sendable {
  /// What answers a message: given the door that it came through and who is at the other end. `false` ends the
  /// connection.
  typealias Answer =
    @Sendable (
      _ message: [UInt8], _ socket: BrokerSocket, _ peer: Peer, _ replies: ReplyWriter
    ) async -> Bool

  /// Connections that each door holds open at once. Each door has its own, so that a flood of questions does not
  /// keep the person from answering.
  static let mostConnections: [BrokerSocket: Int] = [.ask: 1_200, .control: 200]
  /// The most of one process at the door for programs, so that none shuts it for all others.
  static let mostOfOneProcess = 100

  // Shared with all of the process and never shut down: a call that is still being answered when the server stops may
  // end after it.
  private let group = MultiThreadedEventLoopGroup.singleton
  private let connections = OpenConnections()
  private let acceptor: Acceptor

  /// Starts to serve. The descriptors belong to the server from here on.
  init(_ descriptors: [BrokerSocket: Int32], answer: @escaping Answer) throws(SystemError) {
    raiseDescriptorLimit()
    let (group, connections) = (group, connections)
    acceptor = try Acceptor(descriptors) { descriptor, socket in
      guard let peer = Self.admit(descriptor, at: socket, beside: connections) else {
        close(descriptor)
        return
      }
      Self.serve(descriptor, group: group, counting: connections, at: socket, from: peer.pid) {
        message, replies in
        await answer(message, socket, peer, replies)
      }
    }
  }

  /// Stops accepting, closes all connections, and so cancels everything that they wait for.
  func stop() async {
    await acceptor.stop()
    for channel in connections.end() { try? await channel.close() }
  }

  /// Lets a connection in if there is room and it comes from the same user, or from the system's own.
  private static func admit(
    _ descriptor: Int32, at socket: BrokerSocket, beside connections: OpenConnections
  ) -> Peer? {
    guard let peer = try? Peer(of: descriptor), peer.user == geteuid() || peer.user == 0 else { return nil }
    return connections.enter(socket, peer.pid, limit: mostConnections[socket] ?? 0) ? peer : nil
  }

  private static func serve(
    _ descriptor: Int32, group: any EventLoopGroup, counting connections: OpenConnections,
    at socket: BrokerSocket, from process: Int32, answer: @escaping ConnectionHandler.Answer
  ) {
    ClientBootstrap(group: group)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard connections.note(channel) else { throw ChannelError.ioOnClosedChannel }
          channel.closeFuture.whenComplete { _ in connections.leave(socket, process, channel) }
          try channel.pipeline.syncOperations.addHandler(ConnectionHandler(answer: answer))
        }
      }
      .withConnectedSocket(descriptor)
      .whenFailure { _ in }
  }
}

/// A thousand waiting clients need a thousand descriptors; many systems allow that only when asked.
private func raiseDescriptorLimit() {
  var limit = rlimit()
  guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
  limit.rlim_cur = max(limit.rlim_cur, min(4096, limit.rlim_max))
  _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

/// The connections of each door.
private final class OpenConnections: Sendable {
  private struct State {
    var counts: [BrokerSocket: Int] = [:]
    var ofProcess: [Int32: Int] = [:]
    var channels: [ObjectIdentifier: any Channel] = [:]
    var hasEnded = false
  }

  private let state = Lock(State())

  /// Counts one more in, unless there are as many already.
  func enter(_ socket: BrokerSocket, _ process: Int32, limit: Int) -> Bool {
    state.withLock { state in
      guard state.counts[socket, default: 0] < limit,
        socket == .control || state.ofProcess[process, default: 0] < SocketServer.mostOfOneProcess
      else { return false }
      if socket == .ask { state.ofProcess[process, default: 0] += 1 }
      state.counts[socket, default: 0] += 1
      return true
    }
  }

  /// Notes what was let in; `false` if the server has stopped meanwhile.
  func note(_ channel: any Channel) -> Bool {
    state.withLock { state in
      if !state.hasEnded { state.channels[ObjectIdentifier(channel)] = channel }
      return !state.hasEnded
    }
  }

  func leave(_ socket: BrokerSocket, _ process: Int32, _ channel: any Channel) {
    state.withLock { state in
      if socket == .ask {
        let left = state.ofProcess[process, default: 1] - 1
        state.ofProcess[process] = left > 0 ? left : nil
      }
      state.counts[socket, default: 1] -= 1
      state.channels[ObjectIdentifier(channel)] = nil
    }
  }

  /// Lets nobody in any more, and gives those who are.
  func end() -> [any Channel] {
    state.withLock { state in
      state.hasEnded = true
      return Array(state.channels.values)
    }
  }
}
