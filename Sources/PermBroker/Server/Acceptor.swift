import CLinux
import Glibc
import Machine
import NIOPosix

/// Accepts connections on a broker's sockets, in a thread of its own that sleeps until somebody comes.
///
/// swift-nio accepts too, but does not give the descriptor out, and only the descriptor tells who is at the other end.
final class Acceptor: Sendable {
  /// Takes over a connected descriptor.
  typealias Welcome = @Sendable (_ descriptor: Int32, _ socket: BrokerSocket) -> Void

  private let wake: Int32
  private let doors: [Int32]
  private let thread = NIOThreadPool(numberOfThreads: 1)

  /// Starts to accept. The descriptors belong to the acceptor from here on.
  init(_ descriptors: [BrokerSocket: Int32], welcome: @escaping Welcome) throws(SystemError) {
    wake = eventfd(0, Int32(EFD_CLOEXEC))
    guard wake >= 0 else { throw SystemError("make an event descriptor") }
    doors = Array(descriptors.values)
    thread.start()
    let loop = AcceptLoop(doors: Array(descriptors), wake: wake, welcome: welcome)
    _ = thread.runIfActive(eventLoop: MultiThreadedEventLoopGroup.singleton.any()) { loop.run() }
  }

  /// Stops accepting, and closes the sockets once nobody is being accepted any more.
  func stop() async {
    _ = eventfd_write(wake, 1)
    try? await thread.shutdownGracefully()
    close(wake)
    // Not where they are accepted at: that may not have begun yet, and who has connected would wait for ever.
    doors.forEach { close($0) }
  }
}

private struct AcceptLoop: Sendable {
  let doors: [(socket: BrokerSocket, descriptor: Int32)]
  let wake: Int32
  let welcome: Acceptor.Welcome

  init(doors: [(key: BrokerSocket, value: Int32)], wake: Int32, welcome: @escaping Acceptor.Welcome) {
    self.doors = doors.map { ($0.key, $0.value) }
    self.wake = wake
    self.welcome = welcome
  }

  func run() {
    var spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(spare) }
    for door in doors { _ = fcntl(door.descriptor, F_SETFL, fcntl(door.descriptor, F_GETFL) | O_NONBLOCK) }
    var entries = (doors.map(\.descriptor) + [wake]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      guard poll(&entries, nfds_t(entries.count), -1) >= 0 || errno == EINTR else { return }
      if entries[doors.count].revents != 0 { return }
      for (place, door) in doors.enumerated() where entries[place].revents != 0 {
        accept(at: door, spare: &spare)
      }
    }
  }

  private func accept(at door: (socket: BrokerSocket, descriptor: Int32), spare: inout Int32) {
    // A process that is started just now must not inherit the connection: it would keep it open.
    let connection = accept_closed_on_exec(door.descriptor)
    if connection >= 0 { return welcome(connection, door.socket) }
    guard errno == EMFILE || errno == ENFILE else { return }
    // Without a free descriptor the client would stay in the line and wake this thread for ever. The spare one
    // makes room to turn it away.
    close(spare)
    close(Glibc.accept(door.descriptor, nil, nil))
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
  }
}
