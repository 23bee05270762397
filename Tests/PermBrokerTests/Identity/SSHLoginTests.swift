import Foundation
import PermModel
import Testing

@testable import Machine
@testable import PermBroker

@Suite("Whether a login over ssh comes from this machine")
struct SSHLoginTests {
  private typealias End = TCPConnections.End

  private func end(_ text: String, _ port: Int) throws -> End {
    try #require(End(text, port: String(port)))
  }

  private func connection(
    _ local: (String, Int), _ remote: (String, Int), user: UInt32 = 0, socket: UInt32 = 1
  ) throws -> TCPConnections.Connection {
    .init(
      local: try end(local.0, local.1), remote: try end(remote.0, remote.1), user: user, socket: socket)
  }

  private let here = "192.0.2.1"
  private let away = "198.51.100.7"

  private func connections(_ all: TCPConnections.Connection...) -> TCPConnections {
    TCPConnections(all, ownAddresses: [[192, 0, 2, 1]])
  }

  @Test("If the server's sockets can be seen, its first connection counts, and no claim")
  func held() throws {
    let all = connections(
      try connection((here, 22), (away, 50_000), socket: 5),
      try connection((here, 22), (here, 50_001), socket: 6),
      try connection(("127.0.0.1", 40_000), ("127.0.0.1", 5_432), user: 1_000, socket: 7))
    #expect(!all.isFromHere(holding: [5]))
    #expect(all.isFromHere(holding: [6]))
    // A port that is forwarded is not the login's connection.
    #expect(!all.isFromHere(holding: [3, 5, 7]))
    // A server that was started for a pipe has no connection.
    #expect(all.isFromHere(holding: [3]))
    #expect(all.isFromHere(holding: []))
  }

  @Test(
    "Without a view of its sockets, a claim counts only if root has that connection, and it leads elsewhere")
  func claimed() throws {
    let all = connections(
      try connection((here, 22), (away, 50_000)), try connection((here, 8_080), (away, 50_003), user: 33))
    func isFromHere(_ text: String?) -> Bool { all.isFromHere(claimed: text, user: 1_000) }
    #expect(!isFromHere("\(away) 50000 \(here) 22"))
    #expect(!isFromHere("::ffff:\(away) 50000 ::ffff:\(here) 22"))
    #expect(isFromHere("\(away) 50009 \(here) 22"))
    #expect(isFromHere("\(away) 50003 \(here) 8080"))
    #expect(isFromHere("127.0.0.1 50000 127.0.0.1 22"))
    for text in [nil, "", "a b c d", "\(away) 50000 \(here)", "\(away) -1 \(here) 22"] {
      #expect(isFromHere(text))
    }
  }

  @Test("A claim does not hide a connection that the same user has from here")
  func hidden() throws {
    let other = try connection((here, 22), (here, 50_001))
    let client = { try connection((here, 50_001), (here, 22), user: $0) }
    let claimed = try connection((here, 22), (away, 50_000))
    let text = "\(away) 50000 \(here) 22"
    #expect(connections(claimed, other, try client(1_000)).isFromHere(claimed: text, user: 1_000))
    #expect(!connections(claimed, other, try client(1_001)).isFromHere(claimed: text, user: 1_000))
    // The client has just gone, and its end with it.
    #expect(connections(claimed, other).isFromHere(claimed: text, user: 1_000))
    let elsewhere = try connection((here, 8_080), (here, 50_002))
    #expect(!connections(claimed, elsewhere).isFromHere(claimed: text, user: 1_000))
  }

  @Test(
    "An address is this machine's if it is a loopback address, or one of its own, or if both ends are here")
  func own() throws {
    let all = connections(
      try connection((here, 22), ("127.9.9.9", 1)), try connection((here, 22), ("::1", 1)),
      try connection((here, 22), (here, 1)), try connection((here, 22), (away, 1)),
      try connection((here, 22), (away, 2)), try connection((away, 2), (here, 22)))
    #expect(all.all.map(all.isFromHere) == [true, true, true, false, true, true])
  }

  @Test("The kernel's list is read, with addresses of both kinds")
  func list() {
    let text = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0
         1: 0100007F:0016 0200007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 12 1 0
         2: 0100007F:0016 0200007F:C351 06 00000000:00000000 00:00000000 00000000     0        0 0 1 0
         3: B80D01200000000000000000DD000000:0016 0000000000000000FFFF00000200007F:0017 08 0:0 00:0 0 7 0 13 1
         4: XX00007F:0016 0200007F:C351 01 00000000:00000000 00:00000000 00000000     0        0 0 1 0
         5: short
      """
    let read = TCPConnections.read(Array(text.utf8))
    #expect(read.map(\.socket) == [12, 13])
    #expect(read.first?.remote == End(address: [127, 0, 0, 2], port: 50_000))
    #expect(read.first?.user == 1_000)
    #expect(read.last?.local.address.prefix(4) == [0x20, 0x01, 0x0d, 0xb8])
    #expect(read.last?.remote == End(address: [127, 0, 0, 2], port: 23))
  }

  @Test("An operator's name is read from the command line of a bridge only, and only if there is one")
  func names() {
    func name(_ words: String...) -> String? { ClaimedOperator.name(in: words) }
    #expect(name("permtui", "bridge", "--as", "ana") == "ana")
    #expect(name("permtui", "bridge", "--may", "rules", "--as=ana") == "ana")
    #expect(name("permtui", "bridge") == nil)
    #expect(name("permtui", "allow", "bridge", "--as", "ana") == nil)
    #expect(name("permtui", "bridge", "--as", "ana", "--as", "bob") == "ana, bob")
    #expect(name("permtui", "bridge", "--as") == "")
  }

  @Test("Only a server that runs as root can have sent an operator, directly or through a shell")
  func sent() {
    func member(_ pid: Int32, isServer: Bool = false) -> ControlCaller.Member {
      .init(identity: ProcessIdentity(pid: pid, startTime: 1), isSSHServer: isServer)
    }
    func isSent(_ lineage: ControlCaller.Member..., root: Int32 = 2) -> Bool {
      ClaimedOperator.isStartedByRootsServer(lineage) { $0 == root ? 0 : 1_000 }
    }
    let (bridge, shell, session, server) = (
      member(9), member(8), member(3, isServer: true), member(2, isServer: true)
    )
    #expect(isSent(bridge, session, server))
    #expect(isSent(bridge, shell, session, server))
    #expect(!isSent(bridge, shell, member(7), session, server))
    #expect(!isSent(bridge, session))
    #expect(!isSent(bridge, session, shell, server))
    #expect(!isSent(bridge))
    #expect(!isSent(bridge, session, server, root: 77))
  }

  @Test("A process that is no bridge of root's sshd acts for nobody")
  func thisProcess() {
    #expect(ClaimedOperator(of: getpid()) { [] } == nil)
    #expect(ClaimedOperator(of: .max) { [] } == nil)
  }

  @Test("The id of a broker is as RFC 4231 computes it, and another one for each store")
  func brokerID() {
    let code = BrokerID.authenticationCode(
      of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(code.prefix(4) == [0x5b, 0xdc, 0xc1, 0x46])
    let id = BrokerID.of(store: "/home/ana/one", user: 1_000)
    #expect(id.count == 32 && id.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
    #expect(id == BrokerID.of(store: "/home/ana/one", user: 1_000))
    #expect(id != BrokerID.of(store: "/home/ana/two", user: 1_000))
    #expect(id != BrokerID.of(store: "/home/ana/one", user: 1_001))
  }
}
