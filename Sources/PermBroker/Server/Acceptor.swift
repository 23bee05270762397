import CLinux
import Glibc
import Machine
import NIOPosix

/// Accepts connections on a broker's sockets, in its own thread, which sleeps until a client connects.
///
/// swift-nio can accept too, but does not expose the descriptor, which is needed to identify the process at the other
/// end.
final class Acceptor: Sendable {
  /// Receives a connected descriptor, and owns it from then on.
  typealias Welcome = @Sendable (_ descriptor: Int32, _ socket: BrokerSocket) -> Void

  private let wake: Int32
  private let doors: [Int32]
  private let thread = NIOThreadPool(numberOfThreads: 1)

  /// Starts accepting. The descriptors belong to the acceptor from here on.
  init(_ descriptors: [BrokerSocket: Int32], welcome: @escaping Welcome) throws(SystemError) {
    wake = eventfd(0, Int32(EFD_CLOEXEC))
    guard wake >= 0 else { throw SystemError("make an event descriptor") }
    doors = Array(descriptors.values)
    thread.start()
    let loop = AcceptLoop(doors: Array(descriptors), wake: wake, welcome: welcome)
    _ = thread.runIfActive(eventLoop: MultiThreadedEventLoopGroup.singleton.any()) { loop.run() }
  }

  /// Stops accepting, and closes the sockets when no client is being accepted any longer.
  func stop() async {
    _ = eventfd_write(wake, 1)
    try? await thread.shutdownGracefully()
    close(wake)
    // Not in the accepting thread: it may not have started yet, and clients already connected would wait forever.
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
    // A process that is being started must not inherit the connection, because it would keep it open.
    let connection = accept_closed_on_exec(door.descriptor)
    if connection >= 0 { return welcome(connection, door.socket) }
    guard errno == EMFILE || errno == ENFILE else { return }
    // Without a free descriptor the client would stay queued and wake this thread forever. Closing the spare one makes
    // room to turn the client away.
    close(spare)
    close(Glibc.accept(door.descriptor, nil, nil))
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
  }
}
