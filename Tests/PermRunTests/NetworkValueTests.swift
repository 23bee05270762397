import Dispatch
import Machine
import PermBroker
import PermModel
import Testing

@testable import PermRun

@Suite("Values of the network")
struct NetworkValueTests {
  private func address(_ text: String) throws -> Address {
    try #require(Resolver.addresses(of: try Host(text)).first)
  }

  @Test(
    "Addresses that are not everyone's are known in every form",
    arguments: [
      ("127.0.0.1", Address.Place.thisMachine), ("127.9.9.9", .thisMachine), ("0.0.0.0", .thisMachine),
      ("::1", .thisMachine),
      ("::", .thisMachine), ("::ffff:127.0.0.1", .thisMachine), ("64:ff9b::7f00:1", .thisMachine),
      ("2002:7f00:1::", .thisMachine),
      ("10.1.2.3", .privateNetwork), ("172.16.0.1", .privateNetwork), ("172.31.255.255", .privateNetwork),
      ("192.168.1.1", .privateNetwork), ("100.64.0.1", .privateNetwork), ("100.127.255.255", .privateNetwork),
      ("fc00::1", .privateNetwork), ("fdff::1", .privateNetwork), ("fec0::1", .privateNetwork),
      ("::10.0.0.1", .privateNetwork),
      ("169.254.169.254", .link), ("fe80::1", .link), ("febf::1", .link),
      ("224.0.0.1", .group), ("239.255.255.255", .group), ("ff02::1", .group),
      ("198.18.0.2", .reserved), ("198.19.255.255", .reserved), ("192.0.0.8", .reserved),
      ("255.255.255.255", .reserved), ("240.0.0.1", .reserved),
      ("1.1.1.1", .anywhere), ("172.15.0.1", .anywhere), ("172.32.0.1", .anywhere), ("100.63.0.1", .anywhere),
      ("100.128.0.1", .anywhere),
      ("198.17.0.1", .anywhere), ("198.20.0.1", .anywhere), ("192.0.1.1", .anywhere),
      ("169.253.0.1", .anywhere), ("203.0.113.1", .anywhere),
      ("2606:4700::1111", .anywhere), ("fbff::1", .anywhere), ("64:ff9b::101:101", .anywhere),
    ])
  func places(text: String, place: Address.Place) throws {
    #expect(try address(text).place(own: []) == place)
  }

  @Test("An address of this machine is on this machine, whatever it looks like")
  func ownAddress() throws {
    let own = try address("1.2.3.4")
    #expect(own.place(own: [own]) == .thisMachine)
    #expect(Address.own.contains(.loopback))
  }

  @Test("A use is written with host and port")
  func texts() throws {
    let (name, address) = (try Host("api.example.com"), try Host("::1"))
    let socket = try AbsolutePath("/run/docker.sock")
    #expect(
      HostUse(host: name, port: 443).atom.inWords == "network:connect@api.example.com:443")
    #expect(HostUse(host: address, port: 22).atom.inWords == "network:connect@[::1]:22")
    #expect(FileUse.socket(socket).atom.inWords == "files:write@/run/docker.sock")
  }

  @Test("Each name has an address of its own until the run ends, and the run's own address is none of them")
  func names() throws {
    var names = RunNames()
    let given = try ["a.example", "b.example", "a.example", "localhost", "x.localhost"].map { text in
      let host = try Host(text)
      let address = names.address(for: host)
      return try #require(address)
    }
    let (first, second) = (given[0], given[1])
    #expect(first != second && given[2] == first)
    #expect(given[3] == .loopback && given[4] == .loopback)
    #expect(names.name(of: first)?.name == "a.example" && names.name(of: second)?.name == "b.example")
    #expect([first, second].allSatisfy(RunNames.mayStand))
    for number: UInt32 in [0xc612_0000, 0xc612_0001, 0xc612_0004, 0xc613_ffff, 0x7f00_0001] {
      #expect(names.name(of: Address(number)) == nil)
    }
  }

  @Test("After 65 536 names there are no more addresses, and those that are given stay")
  func manyNames() throws {
    var names = RunNames()
    for number in 0..<(1 << 16) {
      let host = try Host("n\(number).example")
      guard names.address(for: host) != nil else { throw OrdinaryUser.Missing("no address for \(host)") }
    }
    let (more, known) = (try Host("one-more.example"), try Host("n65535.example"))
    let none = names.address(for: more)
    #expect(none == nil)
    let found = names.address(for: known)
    let last = try #require(found)
    #expect(names.name(of: last)?.name == "n65535.example")
    #expect(RunNames.mayStand(last))
  }

  @Test("Bytes that are no address have none, and never more than they are")
  func socketAddresses() {
    for count in 0..<16 { #expect(SocketAddress(bytes: Array(repeating: 2, count: count)).address == nil) }
    for count in 2..<24 {
      #expect(SocketAddress(bytes: [10, 0] + Array(repeating: 0, count: count - 2)).address == nil)
    }
    #expect(SocketAddress(bytes: [1, 0]).path == [])
    #expect(SocketAddress(bytes: [1, 0, 0, 0x78]).path == [])
    #expect(SocketAddress(bytes: [1, 0, 0x2f, 0x78, 0, 0x79]).path == [0x2f, 0x78])
    #expect(SocketAddress(bytes: []).family == -1)
    let mapped = SocketAddress(.loopback, port: 258, family: 10)
    #expect(mapped.bytes.count == 28 && mapped.address == .loopback && mapped.port == 258)
    #expect(
      SocketAddress(.loopback, port: 80, family: 2).bytes == [
        2, 0, 0, 80, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
      ])
  }

  @Test("The sockets of programs that know names for others do not exist inside")
  func nameServices() throws {
    let hidden = ["/run/systemd/resolve/io.systemd.Resolve", "/run/nscd/socket", "/run/docker.sock"]
    #expect(try hidden.map { NameServices.contain(try AbsolutePath($0)) } == [true, true, false])
  }

  @Test("A few threads work at a time, and those that wait let others work")
  func workers() {
    let workers = WorkerThreads(most: 20, active: 3)
    let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let working = Lock((now: 0, most: 0))
    for _ in 0..<200 {
      let isTaken = workers.run {
        working.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        working.withLock { $0.now -= 1 }
        workers.waiting { gate.wait() }
        working.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        working.withLock { $0.now -= 1 }
        done.signal()
      }
      #expect(isTaken)
    }
    for _ in 0..<200 { gate.signal() }
    for _ in 0..<200 { done.wait() }
    #expect(working.withLock { $0.most } <= 3)
  }

  @Test("Answers of a person hold for this time, until the run ends, or for those that have waited")
  func answers() throws {
    var answers = RunAnswers()
    let uses = try (1...4).map { NetworkUse.host(HostUse(host: try Host("a.example"), port: $0)) }
    for (number, use) in uses.enumerated() {
      answers.begin(use)
      answers.begun(use, number)
    }
    let ends: [RunQuestion.End] = [.allowed, .denied, .unanswered]
    let taken = zip(ends, uses).map { answers.take($0, of: $1, at: 1000) }
    #expect(taken == [true, true, true])
    #expect(uses.map { answers.ruling(on: $0, at: 1001) } == [.allowed, .denied, .denied, .open])
    answers.forgetUnanswered()
    #expect(uses.map { answers.ruling(on: $0, at: 100_000) } == [.open, .denied, .open, .open])
    let again = answers.take(.allowed, of: uses[1], at: 1000)
    #expect(!again)
    let kept = answers.withdraw(except: Set(uses))
    let withdrawn = answers.withdraw(except: [])
    #expect(kept == [] && withdrawn == [3])
    let late = answers.take(.allowed, of: uses[3], at: 1000)
    #expect(!late && answers.ruling(on: uses[3], at: 1001) == .open)
  }

  @Test("Connections whose sockets are closed are forgotten")
  func connections() {
    var connections = Connections()
    for number in 0..<UInt64(300) {
      connections.add(.init(cookie: number, inode: number, permission: Permission(needed: [])))
    }
    #expect(connections.isFull)
    connections.keep([1, 3, 299], ofFirst: 299)
    #expect(connections.all.map(\.inode) == [1, 3, 299] && !connections.isFull)
    connections.remove([3])
    #expect(connections.all.map(\.cookie) == [1, 299])
  }
}
