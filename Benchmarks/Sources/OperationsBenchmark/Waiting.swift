import CMalloc
import Foundation
import Operations

/// A case in which many operations wait.
struct WaitingCase: Sendable {
  let name: String
  /// Fills a queue with operations that wait until the gate ends.
  let fill: @Sendable (_ queue: Operations.OperationQueue, _ gate: Task<Void, Never>, _ count: Int) -> Void
}

let waitingCases = [
  WaitingCase(name: "on a dependency") { queue, gate, count in
    let first = queue.add { _ in await gate.value }
    for _ in 0..<count { queue.add(NoOperation(), after: [first]) }
  },
  WaitingCase(name: "on exclusion") { queue, gate, count in
    let conditions: [any OperationCondition] = [MutuallyExclusive("one")]
    queue.add(conditions: conditions) { _ in await gate.value }
    for _ in 0..<count { queue.add(NoOperation(), conditions: conditions) }
  },
  WaitingCase(name: "on exclusion after conditions") { queue, gate, count in
    let conditions: [any OperationCondition] = [Yes(), MutuallyExclusive("one")]
    queue.add(conditions: [MutuallyExclusive("one")]) { _ in await gate.value }
    for _ in 0..<count { queue.add(NoOperation(), conditions: conditions) }
  },
  WaitingCase(name: "while a condition is evaluated") { queue, gate, count in
    let conditions: [any OperationCondition] = [
      BlockCondition {
        await gate.value
        return true
      }
    ]
    for _ in 0..<count { queue.add(NoOperation(), conditions: conditions) }
  },
]

/// Returns the bytes of heap that each waiting operation adds. Call it in a process of its own.
func bytesWaiting(_ waiting: WaitingCase, count: Int) async -> Int {
  let (stream, continuation) = AsyncStream<Never>.makeStream()
  let gate = Task { for await _ in stream {} }
  let queue = Operations.OperationQueue(exclusion: ExclusionScheduler())
  let before = heapBytes()
  waiting.fill(queue, gate, count)
  var last = before
  repeat {
    last = heapBytes()
    try? await Task.sleep(for: .milliseconds(200))
    // Less than a byte for each operation is the noise of measuring.
  } while abs(heapBytes() - last) > count
  continuation.finish()
  return (last - before) / count
}

/// Returns the number of bytes that the allocator has handed out.
private func heapBytes() -> Int {
  let info = mallinfo2()
  return Int(info.uordblks) + Int(info.hblkhd)
}
