import Operations
import PermModelTesting
import Testing

@testable import OperationsExtras

@Suite("Reachability")
struct ReachabilityTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())
  let network = FakeNetwork()

  private func add(_ condition: ReachabilityCondition) -> OperationHandle<String> {
    queue.add(conditions: [condition]) { _ in "ran" }
  }

  @Test("With a default route through an interface that is up, the network is reachable")
  func connected() async throws {
    network.set(.wired)
    #expect(try await add(ReachabilityCondition(network: network)).value == "ran")
  }

  @Test("Without one it is not, and the error says what is missing")
  func disconnected() async throws {
    let failed = try await #require(throws: ConditionsFailed.self) {
      try await add(ReachabilityCondition(network: network)).value
    }
    #expect(failed.first(ReachabilityError.self) == .notConnected(.any))
    #expect(failed.description.contains("Connect the machine to a network."))
  }

  @Test(
    "The kind of connection counts",
    arguments: [
      (Connectivity.any, [NetworkInterface.Kind.wired, .wireless, .mobile, .virtual]),
      (.wired, [.wired]), (.wireless, [.wireless]), (.notMobile, [.wired, .wireless, .virtual]),
    ])
  func kinds(connectivity: Connectivity, kinds: [NetworkInterface.Kind]) {
    let satisfying = NetworkInterface.Kind.allCases.filter { kind in
      NetworkState.over(kind).isConnected(over: connectivity)
    }
    #expect(satisfying == NetworkInterface.Kind.allCases.filter(kinds.contains))
  }

  @Test("An interface that is down, or a route through one that is not there, is no connection")
  func down() {
    var state = NetworkState.wired
    state.interfaces[0].isUp = false
    #expect(!state.isConnected())
    state.interfaces = []
    #expect(!state.isConnected())
  }

  @Test("A host is checked, with or without a default route")
  func host() async throws {
    let host = NetworkHost("printer.local")
    #expect(try await add(ReachabilityCondition(host: host, network: network)).value == "ran")
    network.refuse(.noRoute(host: "printer.local"))
    let failed = try await #require(throws: ConditionsFailed.self) {
      try await add(ReachabilityCondition(host: host, network: network)).value
    }
    #expect(failed.first(ReachabilityError.self) == .noRoute(host: "printer.local"))
    let wired = ReachabilityCondition(.wired, host: host, network: network)
    #expect(await add(wired).failures == ["Reachability(wired, printer.local)"])
  }

  @Test("A condition that waits is woken by changes of the network, and looks again after each")
  func waits() async throws {
    let handle = add(ReachabilityCondition(.wireless, waits: true, network: network))
    await network.watched()
    network.set(.wired)
    network.set(.over(.wireless))
    #expect(try await handle.value == "ran")
  }

  @Test("A host that comes up without a change of the network is found at the next check")
  func hostComesUp() async throws {
    let clock = ManualClock()
    let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock)
    let host = NetworkHost("printer.local", port: 631)
    network.refuse(.noAnswer(host: "printer.local", port: 631, reason: "refused"))
    let condition = ReachabilityCondition(
      host: host, waits: true, checkingEvery: .seconds(5), network: network)
    let handle = queue.add(conditions: [condition]) { _ in "ran" }
    await clock.sleepers()
    clock.advance(by: .seconds(5))
    await clock.sleepers()
    #expect(!handle.state.hasEnded)
    network.answer()
    clock.advance(by: .seconds(5))
    #expect(try await handle.value == "ran")
    #expect(clock.sleeps.isEmpty)
  }

  @Test("No operation waits if the network is there, and a silent condition never waits")
  func noWaiting() async throws {
    network.set(.wired)
    #expect(try await add(ReachabilityCondition(waits: true, network: network)).value == "ran")
    network.set(NetworkState())
    let silent = queue.add(conditions: [SilentCondition(ReachabilityCondition(waits: true, network: network))]
    ) { _ in }
    #expect(await silent.failures == ["Silent(Reachability())"])
    #expect(network.watchers == 0)
  }

  @Test("An operation fails instead of waiting if the state is unreadable")
  func unreadable() async throws {
    let error = ReachabilityError.unreadable("/proc/net/route", reason: "no such file")
    network.spoil(error)
    let failed = try await #require(throws: ConditionsFailed.self) {
      try await add(ReachabilityCondition(waits: true, network: network)).value
    }
    #expect(failed.first(ReachabilityError.self) == error)
    #expect(network.watchers == 0)
  }

  @Test("Cancelling ends the waiting")
  func cancel() async throws {
    let handle = add(ReachabilityCondition(waits: true, network: network))
    await network.watched()
    handle.cancel()
    #expect(await handle.outcome.word == "cancelled")
    await queue.waitUntilIdle()
  }
}

extension NetworkState {
  static let wired = over(.wired)

  static func over(_ kind: NetworkInterface.Kind) -> NetworkState {
    NetworkState(
      interfaces: [NetworkInterface(name: "net0", kind: kind, isUp: true)],
      defaultRoutes: [NetworkRoute(interface: "net0", family: .ipv4)])
  }
}
