import CLinux
import Glibc
import Machine

/// Accepts connections on a broker's sockets, in its own thread, which sleeps until a client connects.
///
/// swift-nio can accept too, but does not expose the descriptor, which is needed to identify the process at the other
/// end.
final class Acceptor: Sendable {
  /// Receives a connected descriptor, and owns it from then on.
  typealias Welcome = @Sendable (_ descriptor: Int32, _ socket: BrokerSocket) -> Void

  private let wake: Int32
  private let doors: [Int32: BrokerSocket]
  /// Ends with the thread.
  private let accepting: AsyncStream<Never>

  /// Starts accepting. The descriptors belong to the acceptor from here on.
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

  /// Stops accepting, and closes the sockets when no client is being accepted any longer.
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
    // A process that is being started must not inherit the connection, because it would keep it open.
    let connection = accept_closed_on_exec(door)
    if connection >= 0 { return connection }
    guard errno == EMFILE || errno == ENFILE else { return nil }
    // Without a free descriptor the client would stay queued and wake this thread forever. Closing the spare one makes
    // room to turn the client away.
    close(spare)
    close(Glibc.accept(door, nil, nil))
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return nil
  }
}
