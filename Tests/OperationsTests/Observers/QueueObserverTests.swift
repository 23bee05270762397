import Operations
import Testing

@Suite("Observers of a queue")
struct QueueObserverTests {
  @Test("A queue's observers are told the steps of each operation, once, before its own observers")
  func all() async throws {
    let log = Log()
    let observer = BlockObserver { event, operation in
      if case .ended = event { log.write("queue: \(operation.name)") }
    }
    let own = BlockObserver { event, operation in
      if case .ended = event { log.write("own: \(operation.name)") }
    }
    let queue = OperationQueue(exclusion: ExclusionScheduler(), observers: [observer])
    let needy = Scripted("needy", [.failing("needy", curable: true), .satisfied]) {
      BlockOperation("ask") { _ in }
    }
    let handle = queue.add("parent", conditions: [needy], options: .init(observers: [own])) { context in
      try await context.run(BlockOperation("child") { _ in })
      try await context.produce(BlockOperation("added") { _ in }).value
    }
    try await handle.value
    #expect(
      log.lines == ["queue: ask", "queue: child", "queue: added", "queue: parent", "own: parent"])
  }

  @Test("Observers that follow are told of children once, though the queue has them too")
  func once() async throws {
    let log = Log()
    let queue = OperationQueue(exclusion: ExclusionScheduler(), observers: [Following(log)])
    try await queue.add("parent") { context in
      try await context.run(BlockOperation("child") { _ in })
    }.value
    #expect(log.lines == ["child", "parent"])
  }

  private struct Following: OperationObserver {
    let log: Log
    init(_ log: Log) { self.log = log }

    func observe(_ event: OperationEvent, of operation: OperationReference) {
      if case .ended = event { log.write(operation.name) }
    }

    func observer(ofChildOf parent: OperationReference) -> (any OperationObserver)? { self }
  }
}
