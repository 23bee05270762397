import PermModel
import Testing

@testable import PermBroker

@Suite("Limits of time at a broker", .timeLimit(.minutes(5)))
struct TimeLimitTests {
  @Test("A connection without a call is closed after the limit")
  func idle() async throws {
    try await withBroker(configure: { $0.idleLimit = .milliseconds(20) }) { test in
      let client = try test.client()
      await #expect(throws: BrokerError.disconnected) { try await client.next(of: Methods.Request.self) }
    }
  }

  @Test("A call that takes longer than the limit keeps its connection")
  func busy() async throws {
    try await withBroker(configure: { $0.idleLimit = .milliseconds(20) }) { test in
      let idle = try test.client()
      // Until its call has arrived, the asking connection is an idle one, too.
      let asking = Task {
        while true {
          do { return try await test.ask() } catch { try Task.checkCancellation() }
        }
      }
      _ = await test.presenter.next()
      await #expect(throws: BrokerError.disconnected) { try await idle.next(of: Methods.Request.self) }
      test.presenter.answer(.allow)
      #expect(try await asking.value.state == .allowed)
    }
  }

  @Test("A request of an earlier broker that no client repeats in time is withdrawn")
  func forgotten() async throws {
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    let first = try TestBroker(store: store)
    let client = try first.client()
    try await client.send(Methods.Request.self, .init(capability: "deploy", label: "backup"))
    _ = await first.presenter.next()
    await first.broker.stop()
    #expect(try store.waitingRequests().count == 1)
    let second = try TestBroker(store: store) { $0.grace = .milliseconds(20) }
    try await second.untilNothingWaits()
    #expect(try second.journal().last == .withdrawn)
    await second.broker.stop()
  }
}
