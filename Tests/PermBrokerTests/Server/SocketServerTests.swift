import Foundation
import Testing
import Waiting

@testable import PermBroker

@Suite("Serving connections")
struct SocketServerTests {
  private typealias Info = VarlinkService.GetInfo

  @Test("Calls are answered in order, one by one or sent ahead")
  func calls() async throws {
    try await withServer { server in
      let client = try server.connect()
      #expect(
        try await client.call(Info.self, .init()).interfaces == ["org.varlink.service", "io.permtui.Broker"])
      for _ in 0..<500 { try await client.send(Info.self, .init(), more: false) }
      for _ in 0..<500 { #expect(try await client.next(of: Info.self).product == "permtui") }
    }
  }

  @Test("An unknown method or interface is named in the error")
  func unknown() async throws {
    try await withServer { server in
      await #expect(throws: BrokerError.unknownMethod("io.permtui.Broker.Nonsense")) {
        try await server.connect().call(Nonsense.self, .init())
      }
      await #expect(throws: BrokerError.unknownInterface("org.example")) {
        try await server.connect().call(Stranger.self, .init())
      }
      await #expect(throws: BrokerError.unknownInterface("x.y")) {
        try await server.connect().call(VarlinkService.GetInterfaceDescription.self, .init(interface: "x.y"))
      }
    }
  }

  @Test(
    "A method of the other door is refused, with the door's name", arguments: [BrokerSocket.ask, .control])
  func doors(_ socket: BrokerSocket) async throws {
    var router = CallRouter()
    router.add(Methods.Pending.self) { _, _, _ in .init(requests: []) }
    router.add(Methods.Status.self) { _, _, _ in .init(state: .ask, available: true) }
    try await withServer(router: router) { server in
      let client = try server.connect(socket)
      switch socket {
      case .ask:
        await #expect(throws: BrokerError.onOtherSocket(method: Methods.Pending.fullName, .control)) {
          try await client.call(Methods.Pending.self, .init())
        }
        _ = try await client.call(Methods.Status.self, .init(capability: "photos"))
      case .control:
        await #expect(throws: BrokerError.onOtherSocket(method: Methods.Status.fullName, .ask)) {
          try await client.call(Methods.Status.self, .init(capability: "photos"))
        }
        _ = try await client.call(Methods.Pending.self, .init())
      case .deno: Issue.record("it speaks another protocol")
      }
    }
  }

  @Test("Several replies go only to who takes several")
  func severalReplies() async throws {
    var router = CallRouter()
    router.add(Methods.Watch.self) { _, _, send in
      for position in 1...3 { try await send(.init(entries: [], position: Int64(position))) }
      return .init(entries: [], position: 4)
    }
    try await withServer(router: router) { server in
      let client = try server.connect(.control)
      try await client.send(Methods.Watch.self, .init(), more: true)
      for position in 1...4 {
        #expect(try await client.nextContinues(of: Methods.Watch.self) == (position < 4))
      }
      await #expect(throws: BrokerError.expectsMore(Methods.Watch.fullName)) {
        try await server.connect(.control).call(Methods.Watch.self, .init())
      }
    }
  }

  @Test("A missing parameter is named")
  func missingParameter() async throws {
    var router = CallRouter()
    router.add(Methods.Status.self) { _, _, _ in .init(state: .ask, available: true) }
    try await withServer(router: router) { server in
      let client = try server.connect()
      try await client.sendRaw(#"{"method":"io.permtui.Broker.Status"}"# + "\0")
      await #expect(
        throws: BrokerError.invalid(
          parameter: "capability is missing", reason: "the broker does not accept it")
      ) {
        try await client.next(of: Methods.Status.self)
      }
    }
  }

  @Test("A oneway call gets no reply")
  func oneway() async throws {
    try await withServer { server in
      let client = try server.connect()
      try await client.sendRaw(#"{"method":"org.varlink.service.GetInfo","oneway":true}"# + "\0")
      try await client.sendRaw(#"{"method":"org.varlink.service.None","oneway":true}"# + "\0")
      _ = try await client.call(Info.self, .init())
      #expect(try await !client.hasReply(of: Info.self))
    }
  }

  @Test(
    "Garbage ends its own connection, and no other",
    arguments: [
      "\0", "hello\0", "{}\0", "[1,2]\0", "{\"method\":7}\0", "GET / HTTP/1.1\r\n\r\n\0", "\u{1b}[2J\0",
      String(repeating: "[", count: 16_000) + "\0",
    ])
  func garbage(_ text: String) async throws {
    try await withServer { server in
      let good = try server.connect()
      let bad = try server.connect()
      try await bad.sendRaw(text)
      await #expect(throws: BrokerError.disconnected) { try await bad.next(of: Info.self) }
      _ = try await good.call(Info.self, .init())
    }
  }

  @Test("One program does not get all places; a place that it gives back it gets again")
  func places() async throws {
    try await withServer { server in
      var clients: [TestClient] = []
      for _ in 0..<SocketServer.mostOfOneProgram {
        let client = try server.connect()
        _ = try await client.call(Info.self, .init())
        clients.append(client)
      }
      let refused = try server.connect()
      await #expect(throws: BrokerError.disconnected) { try await refused.call(Info.self, .init()) }
      await clients.removeLast().disconnect()
      // The server learns of that after a while.
      try await until { (try? await server.connect().call(Info.self, .init())) != nil }
    }
  }

  @Test("Calls that a client sends ahead wait on its own side")
  func backPressure() async throws {
    var router = CallRouter()
    router.add(Methods.Pending.self) { _, _, _ in
      try await Task.sleep(for: .seconds(3600))
      return .init(requests: [])
    }
    try await withServer(router: router) { server in
      let client = try server.connect(.control)
      try await client.send(Methods.Pending.self, .init(), more: false)
      // Two million bytes ahead: the kernel keeps a few hundred thousand.
      let taken = try await client.sendWithoutWaiting(
        Data(repeating: UInt8(ascii: "x"), count: 16_000) + [0], 128)
      #expect(taken < 600_000, "\(taken) bytes were taken")
      let other = try server.connect(.control)
      _ = try await other.call(Info.self, .init())
    }
  }

  @Test("When a client goes away, what it waits for is cancelled")
  func cancellation() async throws {
    let (steps, step) = AsyncStream.makeStream(of: Bool.self)
    var router = CallRouter()
    router.add(Methods.Pending.self) { _, _, _ in
      step.yield(Task.isCancelled)
      try? await Task.sleep(for: .seconds(3600))
      step.yield(Task.isCancelled)
      return .init(requests: [])
    }
    try await withServer(router: router) { server in
      let client = try server.connect(.control)
      try await client.send(Methods.Pending.self, .init(), more: false)
      var iterator = steps.makeAsyncIterator()
      // A call of a client that goes away before it is read never begins.
      #expect(await iterator.next() == false)
      await client.disconnect()
      #expect(await iterator.next() == true)
    }
  }

  @Test(
    "A server that stops as soon as it has begun leaves nobody waiting", .timeLimit(.minutes(5)),
    arguments: 0..<50)
  func stoppingAtOnce(_: Int) async throws {
    let server = try TestServer()
    let client = try server.connect()
    await server.stop()
    await #expect(throws: BrokerError.disconnected) { try await client.call(Info.self, .init()) }
  }

  @Test("Stopping the server cancels what it waits for, and ends its connections")
  func stopping() async throws {
    var router = CallRouter()
    router.add(Methods.Pending.self) { _, _, _ in
      try? await Task.sleep(for: .seconds(3600))
      return .init(requests: [])
    }
    let server = try TestServer(router: router)
    let client = try server.connect(.control)
    try await client.send(Methods.Pending.self, .init(), more: false)
    await server.stop()
    await #expect(throws: BrokerError.disconnected) { try await client.next(of: Methods.Pending.self) }
    #expect(throws: BrokerSocketError.nobodyListens) { try server.connect() }
  }

  @Test("The peer of a call is the process that connected")
  func peer() async throws {
    var router = CallRouter()
    router.add(Methods.Status.self) { _, call, _ in
      .init(
        state: .ask, available: call.peer.isHeld(by: call.peer.pid), allowed: ["\(call.peer.pid)"],
        denied: ["\(call.peer.user)"])
    }
    try await withServer(router: router) { server in
      let reply = try await server.connect().call(Methods.Status.self, .init(capability: "photos"))
      #expect(reply.allowed == ["\(getpid())"])
      #expect(reply.denied == ["\(geteuid())"])
      #expect(reply.available)
    }
  }

  @Test("Connections beyond the limit are turned away, and the other door stays open")
  func connectionFlood() async throws {
    try await withServer { server in
      let limit = try #require(SocketServer.mostConnections[.control])
      let clients = try (0..<(limit + 20)).map { _ in try server.connect(.control) }
      var answered = 0
      // The last one is answered or turned away only after all others have been accepted.
      for client in clients.reversed() where (try? await client.call(Info.self, .init())) != nil {
        answered += 1
      }
      #expect(answered == limit)
      _ = try await server.connect(.ask).call(Info.self, .init())
    }
  }
}

private enum Nonsense: BrokerMethod {
  static let name = "Nonsense"
  static func changes(_: Parameters) -> Bool { false }
  struct Parameters: Codable, Hashable, Sendable {}
  typealias Reply = NoFields
}

private enum Stranger: BrokerMethod {
  static let name = "Call"
  static let fullName = "org.example.Call"
  static func changes(_: Parameters) -> Bool { false }
  struct Parameters: Codable, Hashable, Sendable {}
  typealias Reply = NoFields
}
