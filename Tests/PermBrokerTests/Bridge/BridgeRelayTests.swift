import Foundation
import Machine
import PermModel
import Testing
import Waiting

@testable import PermBroker

@Suite("A bridge between a dashboard and a broker", .timeLimit(.minutes(5)))
struct BridgeRelayTests {
  /// A bridge to a broker, whose other end the test holds.
  private final class Bridge: Sendable {
    let descriptor: Int32
    private let buffer = Lock(MessageBuffer(limit: MessageBuffer.longestReply))
    private let ending: Task<(any Error)?, Never>

    init(to test: TestBroker, _ rule: BridgeRule = .answers) throws {
      let pair = try #require(UnixSockets.pair())
      descriptor = pair.own
      let (there, address) = (pair.other, test.address)
      ending = Task {
        await BlockingThread.run { () -> (any Error)? in
          defer { close(there) }
          var relay = BridgeRelay(
            input: there, output: there, rule: rule,
            hello: {
              .init(
                machine: "00", host: "web", version: "1", operator: "ana", passes: rule.rawValue, now: 7)
            },
            connect: { try RelayedConnection(to: .control, among: [address]) })
          do { try relay.run() } catch { return error }
          return nil
        }
      }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
      let bytes = Array(text.utf8)
      #expect(Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }

    func call(_ method: String, _ parameters: String = "{}", more: Bool = false) {
      send(#"{"method":"io.permtui.Broker.\#(method)","parameters":\#(parameters),"more":\#(more)}"# + "\0")
    }

    /// Returns the next reply; `nil` at the end.
    func reply() async throws -> String? {
      while true {
        if let message = try buffer.withLock({ try $0.next() }) {
          return String(decoding: message, as: UTF8.self)
        }
        await Readable.wait(for: descriptor)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return nil }
        buffer.withLock { $0.append(chunk[..<count]) }
      }
    }

    /// Hangs up, and returns the error with which the bridge has ended.
    func end() async -> (any Error)? {
      shutdown(descriptor, Int32(SHUT_WR))
      return await ending.value
    }
  }

  @Test("While alerts are followed, other calls are answered in between")
  func interleaved() async throws {
    try await withBroker(hasDashboard: false) { test in
      let bridge = try Bridge(to: test)
      bridge.call("Attach", #"{"dashboard":"4.x"}"#, more: true)
      #expect(try await bridge.reply()?.contains(#""continues":true"#) == true)
      let asking = Task { try await test.ask() }
      let shown = try #require(try await bridge.reply())
      #expect(shown.contains("show") && shown.contains(#""continues":true"#), "\(shown)")
      bridge.call("Pending")
      let pending = try #require(try await bridge.reply())
      #expect(pending.contains("requests") && !pending.contains("continues"), "\(pending)")
      let id = try #require(try test.store.waitingRequests().first?.id.text)
      try await test.answer(id, .init(verdict: .deny))
      #expect(try await bridge.reply()?.contains("withdraw") == true)
      #expect(try await asking.value.state == .denied)
      #expect(await bridge.end() == nil)
      // The dashboard has left with its bridge.
      try await until { test.broker.keeper.screenCount == 0 }
    }
  }

  @Test("A refused call, one that is not understood and a second stream do not end the bridge")
  func refused() async throws {
    try await withBroker { test in
      let bridge = try Bridge(to: test)
      bridge.call("Allow", #"{"program":"backup","capability":"deploy"}"#)
      #expect(try await bridge.reply()?.contains("MayNotChange") == true)
      bridge.call("Answer", #"{"id":7}"#)
      #expect(try await bridge.reply()?.contains("InvalidParameter") == true)
      bridge.call("Watch", more: true)
      bridge.call("Attach", #"{"dashboard":"4.x"}"#, more: true)
      bridge.call("Pending")
      var replies: [String] = []
      while !replies.contains(where: { $0.contains("requests") }) {
        replies.append(try #require(try await bridge.reply()))
      }
      #expect(replies.contains { $0.contains("only one call with several replies") }, "\(replies)")
      #expect(try test.store.decisions().isEmpty)
      #expect(await bridge.end() == nil)
    }
  }

  @Test("A stream that the broker refuses ends the bridge with its error, after the call before it")
  func refusedStream() async throws {
    try await withBroker { test in
      let bridge = try Bridge(to: test)
      bridge.call("Pending")
      bridge.call("Attach", #"{"dashboard":"test"}"#, more: true)
      var replies: [String] = []
      while let reply = try await bridge.reply() { replies.append(reply) }
      #expect(replies.first?.contains("requests") == true, "\(replies)")
      #expect(replies.last?.contains("error") == true, "\(replies)")
    }
  }

  @Test("The bridge itself tells which machine is at its end, and what it passes on")
  func hello() async throws {
    try await withBroker { test in
      let bridge = try Bridge(to: test, .watch)
      bridge.send(#"{"method":"io.permtui.Bridge.Hello"}"# + "\0")
      let reply = try #require(try await bridge.reply())
      #expect(reply.contains(#""passes":"watch""#) && reply.contains(#""operator":"ana""#), "\(reply)")
      bridge.call("Panic")
      #expect(try await bridge.reply()?.contains("MayNotChange") == true)
      #expect(await bridge.end() == nil)
    }
  }

  @Test(
    "A message that is no call ends the bridge; one that is too long is refused first",
    arguments: ["GET / HTTP/1.1\r\n\0", "{}\0", "\0", String(repeating: "x", count: 70_000)])
  func noise(_ text: String) async throws {
    try await withBroker { test in
      let bridge = try Bridge(to: test)
      bridge.send(text)
      let reply = try await bridge.reply()
      #expect((reply != nil) == (text.utf8.count > 65_536))
      if reply != nil { #expect(try await bridge.reply() == nil) }
      #expect(await bridge.end() == nil)
    }
  }

  @Test("Calls that have arrived are answered after the last byte")
  func lastCalls() async throws {
    try await withBroker { test in
      let bridge = try Bridge(to: test)
      for _ in 1...3 { bridge.call("Pending") }
      async let end = bridge.end()
      for _ in 1...3 { #expect(try await bridge.reply()?.contains("requests") == true) }
      #expect(try await bridge.reply() == nil)
      #expect(await end == nil)
    }
  }

  @Test("If the broker goes away, the bridge ends, so that the dashboard learns of it")
  func brokerGone() async throws {
    let bridge = try await { () async throws -> Bridge in
      let test = try TestBroker()
      let bridge = try Bridge(to: test)
      bridge.call("Watch", #"{"after":0}"#, more: true)
      bridge.call("Pending")
      while !(try #require(try await bridge.reply()).contains("requests")) {}
      await test.broker.stop()
      return bridge
    }()
    while try await bridge.reply() != nil {}
    let error = await bridge.end() as? BrokerError
    #expect(error == .disconnected)
  }
}
