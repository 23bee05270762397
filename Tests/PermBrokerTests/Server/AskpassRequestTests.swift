import PermModel
import Testing

@testable import PermBroker

@Suite("Requests of an askpass program", .timeLimit(.minutes(5)))
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

  @Test("A kept answer does not allow a request for once only", arguments: [nil, true] as [Bool?])
  func kept(inFolder: Bool?) async throws {
    try await withBroker { test in
      test.work(in: ProgramFolder(path: "/home/ana/proj", device: 1, inode: 10))
      let usual = Methods.Request.Parameters(capability: "deploy", label: "backup", inFolder: inFolder)
      async let first = test.client().call(Methods.Request.self, usual)
      _ = try #require(await test.presenter.nextRequest())
      test.presenter.answer(.allow, .forever)
      #expect(try await first.state == .allowed)
      #expect(try await test.client().call(Methods.Request.self, usual).state == .allowed)
      let once = Methods.Request.Parameters(
        capability: "deploy", label: "backup", inFolder: inFolder, onceOnly: true)
      async let second = test.client().call(Methods.Request.self, once)
      _ = try #require(await test.presenter.nextRequest())
      test.presenter.answer(.deny)
      #expect(try await second.state == .denied)
      // The denial was for once, too.
      #expect(try await test.client().call(Methods.Request.self, usual).state == .allowed)
    }
  }

  @Test("A kept denial denies a request for once only, without asking")
  func keptDenial() async throws {
    try await withBroker { test in
      async let first = test.ask()
      _ = try #require(await test.presenter.nextRequest())
      test.presenter.answer(.deny, .forever)
      #expect(try await first.state == .denied)
      let reply = try await test.client().call(
        Methods.Request.self, .init(capability: "deploy", label: "backup", onceOnly: true))
      #expect(reply.state == .denied)
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
