import PermModel
import Testing

@testable import PermBroker

@Suite("Requests of an askpass program", .timeLimit(.minutes(1)))
struct AskpassRequestTests {
  @Test("A request for once only is answered so, also with a denial, and even if the program is known")
  func onceOnly() async throws {
    try await withBroker { test in
      async let reply = test.client().call(
        Methods.Request.self, .init(capability: "deploy", label: "backup", onceOnly: true))
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.lifetimes.filter { $0.disabledReason == nil }.map(\.choice) == [.once])
      test.presenter.answer(.allow)
      #expect(try await reply.state == .allowed)
    }
  }

  @Test("Only a request for a key names processes, and not too many")
  func keyUsers() async throws {
    try await withBroker { test in
      let many = [Int32](repeating: 1, count: KeyUserFinder.most + 1)
      for (capability, users) in [("deploy", [1]), ("keys", many)] {
        await #expect(throws: BrokerError.self) {
          try await test.client().call(
            Methods.Request.self, .init(capability: capability, label: "backup", keyUsers: users))
        }
      }
    }
  }
}
