import Machine
import Operations
import PermModelTesting
import Testing

@testable import OperationsExtras

@Suite("Profiling")
struct ProfilingTests {
  let clock = ManualClock()
  let queue: OperationQueue
  let reports = Reports()

  init() { queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock) }

  final class Reports: OperationProfileReporter {
    private let state = Lock<[OperationProfile]>([])
    var all: [OperationProfile] { state.withLock { $0 } }
    func report(_ profile: OperationProfile) { state.withLock { $0.append(profile) } }
  }

  @Test("A profile says when the operation was attached, started and finished, counted from the making")
  func times() async throws {
    let profiler = ProfilingObserver(reports, clock: clock)
    let (gate, clock) = (Gate(), clock)
    let first = queue.add { _ in await gate.wait() }
    clock.advance(by: .seconds(1))
    let handle = queue.add("work", after: [first], options: .init(observers: [profiler])) { _ in
      clock.advance(by: .seconds(4))
    }
    clock.advance(by: .seconds(2))
    gate.open()
    try await handle.value
    let profile = try #require(reports.all.first)
    #expect(profile.name == "work")
    #expect(profile.id == handle.id)
    #expect(
      [profile.attached, profile.started, profile.finished] == [.seconds(1), .seconds(3), .seconds(7)])
    #expect(profile.outcome?.word == "succeeded")
    #expect(profile.cancelled == nil)
  }

  @Test("A profile says when the operation was asked to end")
  func cancelled() async throws {
    let started = Gate()
    let handle = queue.add(options: .init(observers: [ProfilingObserver(reports, clock: clock)])) { _ in
      started.open()
      for await _ in AsyncStream<Never>.makeStream().stream {}
      try Task.checkCancellation()
    }
    await started.wait()
    clock.advance(by: .seconds(5))
    handle.cancel()
    #expect(await handle.outcome.word == "cancelled")
    #expect(reports.all.first?.cancelled == .seconds(5))
    #expect(reports.all.first?.outcome?.word == "cancelled")
  }

  @Test("Children, added operations and remedies are in the tree, in the order of adding")
  func tree() async throws {
    let needy = Scripted("needy", [.failing("needy", curable: true), .satisfied]) {
      BlockOperation("ask") { _ in }
    }
    let handle = queue.add(
      "root", conditions: [needy], options: .init(observers: [ProfilingObserver(reports, clock: clock)])
    ) {
      context in
      try await context.run(
        GroupOperation("group") { group in
          group.add("slow") { _ in }
          try await group.add("fast") { _ in }.value
        })
      try await context.produce(BlockOperation("added") { _ in }).value
    }
    try await handle.value
    let profile = try #require(reports.all.first)
    #expect(reports.all.count == 1)
    #expect(profile.children.map(\.name) == ["ask", "group", "added"])
    #expect(profile.children[1].children.map(\.name) == ["slow", "fast"])
    let lines = profile.description.split(separator: "\n").map { $0.prefix { $0 != ":" } }
    #expect(lines == ["root", "  ask", "  group", "    slow", "    fast", "  added"])
  }

  @Test("A profile is reported when all that the operation added has ended too")
  func late() async throws {
    let gate = Gate()
    let handle = queue.add("root", options: .init(observers: [ProfilingObserver(reports, clock: clock)])) {
      context in
      context.produce(BlockOperation("late") { _ in await gate.wait() })
    }
    let late = try await handle.value
    #expect(reports.all.isEmpty)
    gate.open()
    try await late.value
    #expect(reports.all.map(\.name) == ["root"])
    #expect(reports.all.first?.children.first?.outcome?.word == "succeeded")
  }
}
