import Foundation
import Glibc
import Machine
import PermModel
import Testing

@testable import PermBroker

/// Another machine, as a dashboard reaches it: a broker behind a real bridge, and a program that stands for ssh.
final class BridgedMachine: Sendable {
  let test: TestBroker
  let id: String
  private let path: String
  private let listener: Int32
  private let rule: BridgeRule
  /// The connections that are open.
  private let open = Lock<[Int32]>([])

  init(_ test: TestBroker, id: Character = "a", rule: BridgeRule = .answers) throws {
    (self.test, self.rule) = (test, rule)
    self.id = String(repeating: id, count: 32)
    path = test.folder.file("bridge")
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafeBytes(of: &address) {
      bind(listener, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
    try #require(bound == 0 && listen(listener, 8) == 0)
    let isStarted = BlockingThread.start { [weak self, listener] in
      while true {
        let connection = Glibc.accept(listener, nil, nil)
        guard connection >= 0 else { return }
        // A program of another test that inherited it would keep it open.
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        self?.serve(connection)
      }
    }
    try #require(isStarted)
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func serve(_ connection: Int32) {
    open.withLock { $0.append(connection) }
    let (id, rule, address) = (id, rule, test.address)
    _ = BlockingThread.start {
      var relay = BridgeRelay(
        input: connection, output: connection, rule: rule,
        hello: {
          .init(
            machine: id, host: "web", version: "1.0", operator: "ana", passes: rule.rawValue,
            now: Timestamp.now.microseconds)
        },
        connect: { try RelayedConnection(to: .control, among: [address]) })
      try? relay.run()
      close(connection)
    }
  }

  /// Cuts all connections, as a network does.
  func cut() {
    for connection in open.withLock({ $0 }) { shutdown(connection, Int32(SHUT_RDWR)) }
    open.withLock { $0 = [] }
  }

  /// The number of connections so far that were not cut.
  var connectionCount: Int { open.withLock(\.count) }

  /// A program that passes bytes between its standard streams and the bridge, as ssh does.
  var program: [String] { ["python3", "-c", Self.pump, path] }

  private static let pump = """
    import os, select, socket, sys
    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
    while True:
        for f in select.select([0, s], [], [])[0]:
            b = os.read(0, 65536) if f == 0 else s.recv(65536)
            if not b: sys.exit(0)
            if f == 0: s.sendall(b)
            else: os.write(1, b)
    """
}
