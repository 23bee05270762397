import PermModel
import Testing

@testable import PermBroker

@Suite("A broker's settings change while it runs", .timeLimit(.minutes(5)))
struct BrokerSettingsTests {
  @Test(
    "A new capability can be asked for at once, and a removed one no longer; waiting requests go on waiting"
  )
  func capabilities() async throws {
    try await withBroker { test in
      let client = try test.client()
      try await client.send(Methods.Request.self, .init(capability: "deploy", label: "backup"))
      let id = try await client.next(of: Methods.Request.self).id
      await #expect(throws: BrokerError.self) { try await test.ask("photos") }
      test.broker.use(BrokerSettings(catalogue: .builtIn))
      let control = try test.client(.control)
      _ = try await control.call(Methods.Deny.self, .init(program: "other", capability: "photos"))
      await #expect(throws: BrokerError.self) { try await test.ask("deploy") }
      #expect(try await control.call(Methods.Pending.self, .init()).requests.map(\.request.id) == [id])
      await client.disconnect()
    }
  }

  @Test("The user's own capabilities can be read as they are, without the built-in ones")
  func ownCapabilities() async throws {
    let text = """
      [capability.vpn]
      title = "VPN"
      description = "The company's network."
      severity = "mild"
      default = ["use"]
      probe = "/dev/net/tun"
      [capability.vpn.requirements]
      use.action = "use the VPN"
      change.action = "change"
      change.implies = ["use"]
      change.severity = "severe"
      change.values = "path"

      """
    let configured = UserConfiguration(text: text, file: "config.toml", .current)
    #expect(configured.problems.isEmpty && configured.capabilities.count == 1)
    try await withBroker { test in
      test.broker.use(BrokerSettings(catalogue: configured.catalogue))
      let control = try test.client(.control)
      let read = try await control.call(Methods.OwnCapabilities.self, .init()).capabilities.map(\.descriptor)
      #expect(read.map(\.definition) == configured.capabilities.map(\.definition))
      #expect(read.flatMap { $0.probedPaths(in: .current) } == ["/dev/net/tun"])
    }
  }

  /// The settings with a severe capability of the name that is asked for.
  private static let severe = """
    [capability.deploy]
    title = "Deploy"
    description = "Puts things into production."
    severity = "severe"
    default = ["staging"]
    [capability.deploy.requirements]
    staging.action = "deploy to staging"

    """

  @Test("If the severity of a capability changes, the screen replaces the alert that asks for it")
  func severity() async throws {
    try await withBroker { test in
      async let reply = test.ask()
      let old = try #require(await test.presenter.nextRequest())
      #expect(old.severity != .severe)
      let configured = UserConfiguration(text: Self.severe, file: "config.toml", .current)
      test.broker.use(BrokerSettings(catalogue: configured.catalogue))
      let new = try #require(await test.presenter.nextRequest())
      #expect(new.severity == .severe)
      #expect(try test.store.decisions(DecisionFilter()).isEmpty)
      test.presenter.answer(.deny)
      let end = try await reply
      #expect(end.state == .denied)
    }
  }

  @Test("An alert on the screen stays as it is if other settings change")
  func unchanged() async throws {
    try await withBroker { test in
      async let reply = test.ask()
      let alert = await test.presenter.next()
      let settings = BrokerSettings(catalogue: TestBroker.catalogue)
      test.broker.use(settings)
      test.broker.use(settings)
      #expect(test.presenter.showing?.digest == alert.digest)
      test.presenter.answer(.deny)
      let end = try await reply
      #expect(end.state == .denied)
    }
  }

  @Test("A restriction of the machine's owner counts at once")
  func policy() async throws {
    try await withBroker { test in
      test.broker.use(
        BrokerSettings(
          catalogue: TestBroker.catalogue, policy: MachinePolicy([.init(capability: "deploy")])))
      let reply = try await test.ask()
      #expect(reply.state == .denied)
      #expect(reply.explanation == "forbidden by the machine's policy")
    }
  }
}
