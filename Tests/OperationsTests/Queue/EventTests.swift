import KernelStress
import Machine
import Operations
import Testing

@Suite("Events")
struct EventTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  private func words(_ events: AsyncStream<OperationEvent>) async -> [String] {
    var words: [String] = []
    for await event in events {
      switch event {
      case .remedyStarted(let condition, _): words.append("remedyStarted(\(condition))")
      case .produced(let operation): words.append("produced(\(operation.name))")
      default: words.append("\(event)")
      }
    }
    return words
  }

  @Test("Events asked for after the end replay all that happened")
  func replay() async throws {
    let condition = Scripted("asks", [.failing("a", curable: true), .satisfied]) { BlockOperation { _ in } }
    let handle = queue.add(conditions: [condition]) { context in
      context.produce(BlockOperation("product") { _ in })
    }
    _ = try await handle.value
    let expected = [
      "added", "dependenciesEnded", "evaluatingConditions", "remedyStarted(asks)", "remediesEnded",
      "executing", "produced(product)", "ended(succeeded)",
    ]
    #expect(await words(handle.events) == expected)
    #expect(await words(handle.events) == expected)
  }

  @Test("An operation's observer is never told two events at once")
  func oneAtATime() async throws {
    let holders = Holders()
    let observer = BlockObserver { _, _ in
      holders.enter([0])
      holders.leave([0])
    }
    try await queue.add(options: .init(observers: [observer])) { context in
      await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask { for _ in 0..<100 { context.produce(BlockOperation { _ in }) } }
        }
      }
    }.value
    #expect(holders.overlaps == 0)
    // It was added, its dependencies ended, it executed, it ended; and one event for each operation that it added.
    #expect(holders.executed == 804)
    await queue.waitUntilIdle()
  }

  @Test("Events asked for on the way replay what happened and go on to the end")
  func midway() async throws {
    let (started, gate) = (Gate(), Gate())
    let handle = queue.add { _ in
      started.open()
      await gate.wait()
    }
    await started.wait()
    let events = handle.events
    handle.cancel()
    gate.open()
    #expect(
      await words(events) == [
        "added", "dependenciesEnded", "executing", "cancelRequested", "ended(succeeded)",
      ])
  }

  @Test("The value is there after the observers have seen the end")
  func valueAfterObservers() async throws {
    for _ in 0..<200 {
      let log = Log()
      try await queue.add(options: .init(observers: [Recorder(log)])) { _ in }.value
      #expect(log.lines.last == "ended(succeeded)")
    }
  }

  @Test("Events asked for while others happen come in order, none twice and none missing")
  func whileOthersHappen() async throws {
    for _ in 0..<40 {
      let names = (0..<100).map(String.init)
      let streams = Lock<[AsyncStream<OperationEvent>]>([])
      let (began, gate) = (Gate(), Gate())
      let handle = queue.add { context in
        began.open()
        for name in names { context.produce(BlockOperation(name) { _ in }) }
        await gate.wait()
      }
      await began.wait()
      for _ in 0..<100 { streams.withLock { $0.append(handle.events) } }
      gate.open()
      try await handle.value
      let expected = ["added", "dependenciesEnded", "executing"] + names.map { "produced(\($0))" }
      for stream in streams.withLock({ $0 }) {
        try #require(await words(stream) == expected + ["ended(succeeded)"])
      }
    }
  }
}
