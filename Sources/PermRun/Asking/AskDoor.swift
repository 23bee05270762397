import CFuse
import CWalls
import Machine
import PermBroker
import PermModel

/// The socket `ask` as the programs behind the walls see it, at its usual path.
///
/// There is no such file, and nobody outside can connect. Each connection is one to the broker, which the warden tells the
/// run and the process before it passes on a single byte: nothing that a program says tells who it is.
final class AskDoor: Sendable {
  private let paths: Set<AbsolutePath>
  private let desk: BrokerQuestions
  private let open = Lock(0)

  /// The greatest number of connections at a time.
  private static let most = 64
  private static let chunk = 4096

  init(at addresses: [BrokerAddress], of desk: BrokerQuestions) {
    let paths = addresses.compactMap { try? AbsolutePath($0.path(of: .ask)) }
    self.paths = Set(paths.flatMap(\.withTarget))
    self.desk = desk
  }

  /// Whether a program means this socket by a path.
  func isMeant(by path: [UInt8], of thread: Int32) -> Bool {
    guard path.suffix(4).elementsEqual("/ask".utf8) || path.elementsEqual("ask".utf8) else { return false }
    let start = path.first == UInt8(ascii: "/") ? [] : (try? targetOfLink("/proc/\(thread)/cwd")) ?? []
    return (try? AbsolutePath(start + [UInt8(ascii: "/")] + path)).map(paths.contains) ?? false
  }

  /// Returns a socket that is connected to the broker, for a process inside.
  func connect(_ thread: Int32, opening: WalledCaller.Opening?) throws(Failure) -> Int32 {
    let isFull = open.withLock { count in
      guard count < Self.most else { return true }
      count += 1
      return false
    }
    if isFull { throw Failure(EAGAIN) }
    do {
      let folder = try? targetOfLink("/proc/\(thread)/cwd")
      let broker = try desk.enter(
        thread, in: folder.map { String(decoding: $0, as: UTF8.self) }, opening: opening)
      return try begin(broker)
    } catch {
      leave()
      throw (error as? Failure) ?? Failure(ECONNREFUSED)
    }
  }

  private func leave() { open.withLock { $0 -= 1 } }

  /// Passes on what is said, until one end is gone. Returns the program's end.
  private func begin(_ broker: BrokerConnection) throws(Failure) -> Int32 {
    var pair: [Int32] = [-1, -1]
    guard walls_stream_pair(&pair) == 0 else { throw .last }
    let (inside, own) = (pair[0], pair[1])
    let isStarted = BlockingThread.start { [self] in
      Self.pass(own, broker.descriptor)
      close(own)
      withExtendedLifetime(broker) {}
      leave()
    }
    guard isStarted else {
      close(inside)
      close(own)
      throw Failure(EAGAIN)
    }
    return inside
  }

  private static func pass(_ first: Int32, _ second: Int32) {
    var bytes = [UInt8](repeating: 0, count: chunk)
    while true {
      let ready = walls_wait(first, second, -1, -1)
      if ready & 1 != 0, !move(first, second, &bytes) { return }
      if ready & 2 != 0, !move(second, first, &bytes) { return }
    }
  }

  /// Passes on what has arrived. Returns whether there can be more.
  private static func move(_ from: Int32, _ to: Int32, _ bytes: inout [UInt8]) -> Bool {
    let count = read(from, &bytes, bytes.count)
    if count < 0, walls_error() == EINTR { return true }
    guard count > 0 else { return false }
    var rest = bytes[..<count]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard sent > 0 || walls_error() == EINTR else { return false }
      rest = rest.dropFirst(max(0, sent))
    }
    return true
  }
}
