import CLinux
import Glibc
import Machine

/// An acceptor of connections on a broker's sockets. It uses its own thread, which sleeps until a client connects.
///
/// swift-nio can also accept connections, but it does not expose the descriptor, which is needed to identify
/// the process at the other end.
final class Acceptor: Sendable {
  /// Receives a connected descriptor, and takes ownership of it.
  typealias Welcome = @Sendable (_ descriptor: Int32, _ socket: BrokerSocket) -> Void

  private let wake: Int32
  private let doors: [Int32: BrokerSocket]
  /// A stream without elements, which ends when the thread ends.
  private let accepting: AsyncStream<Never>

  /// Starts accepting connections, and takes ownership of the descriptors.
  init(_ descriptors: [BrokerSocket: Int32], welcome: @escaping Welcome) throws(SystemError) {
    let wake = eventfd(0, Int32(EFD_CLOEXEC))
    guard wake >= 0 else { throw SystemError("make an event descriptor") }
    let doors = Dictionary(uniqueKeysWithValues: descriptors.map { ($1, $0) })
    let (accepting, thread) = AsyncStream.makeStream(of: Never.self)
    (self.wake, self.doors, self.accepting) = (wake, doors, accepting)
    let isStarted = BlockingThread.start {
      Self.accept(at: doors, until: wake, welcome)
      thread.finish()
    }
    guard isStarted else {
      close(wake)
      throw SystemError("start a thread", code: EAGAIN)
    }
  }

  /// Stops accepting connections, waits until the thread has ended, and closes the sockets.
  func stop() async {
    _ = eventfd_write(wake, 1)
    for await _ in accepting {}
    for descriptor in doors.keys + [wake] { close(descriptor) }
  }

  private static func accept(at doors: [Int32: BrokerSocket], until wake: Int32, _ welcome: Welcome) {
    var spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(spare) }
    for door in doors.keys { _ = fcntl(door, F_SETFL, fcntl(door, F_GETFL) | O_NONBLOCK) }
    while true {
      let ready = Readable.poll(doors.keys + [wake])
      if ready.contains(wake) { return }
      for (door, socket) in doors where ready.contains(door) {
        if let connection = connection(at: door, spare: &spare) { welcome(connection, socket) }
      }
    }
  }

  private static func connection(at door: Int32, spare: inout Int32) -> Int32? {
    // A child process that is being started at the same time must not inherit the connection. Otherwise the child would
    // keep the connection open.
    let connection = accept_closed_on_exec(door)
    if connection >= 0 { return connection }
    guard errno == EMFILE || errno == ENFILE else { return nil }
    // Without a free descriptor, the client would stay in the queue and wake this thread again and again.
    // Closing the spare descriptor makes it possible to accept the client and turn it away.
    close(spare)
    close(Glibc.accept(door, nil, nil))
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return nil
  }
}
