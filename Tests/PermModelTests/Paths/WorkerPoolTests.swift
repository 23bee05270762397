import Dispatch
import Testing
import Waiting

@testable import Machine

@Suite("A pool of threads for work that blocks", .timeLimit(.minutes(5)))
struct WorkerPoolTests {
  @Test("All work is done, by no more threads at a time than there may be")
  func limit() async throws {
    let working = Lock((now: 0, most: 0, done: 0))
    let pool = WorkerPool<Void>(mostThreads: 3) {
      working.withLock { working in
        working.now += 1
        working.most = max(working.most, working.now)
      }
      BlockingThread.sleep(microseconds: 50)
      working.withLock { working in
        working.now -= 1
        working.done += 1
      }
    }
    for _ in 0..<1_000 { #expect(pool.add(()) == .accepted) }
    try await until { working.withLock(\.done) == 1_000 }
    #expect(working.withLock(\.most) <= 3)
  }

  @Test("New work is refused by the first in line, and only while all threads are busy")
  func refusal() async throws {
    let gate = DispatchSemaphore(value: 0)
    let done = Lock([Int]())
    let pool = WorkerPool<Int>(mostThreads: 1) { number in
      gate.wait()
      done.withLock { $0.append(number) }
    }
    #expect(pool.add(1, refusedIf: { _ in true }) == .accepted)
    try await until { !pool.isCrowded }
    #expect(pool.add(2, refusedIf: { _ in true }) == .accepted)
    #expect(pool.isCrowded)
    #expect(pool.add(3, refusedIf: { $0 == 2 }) == .refused)
    #expect(pool.add(4, refusedIf: { $0 == 1 }) == .accepted)
    for _ in 0..<3 { gate.signal() }
    try await until { done.withLock(\.self) == [1, 2, 4] }
  }

  @Test("Work is done whether a thread sleeps, has ended or is about to end", arguments: [1, 2_000])
  func endingThreads(idleMicroseconds: Int) async throws {
    let done = Lock(0)
    let pool = WorkerPool<Void>(mostThreads: 4, idleTime: .microseconds(idleMicroseconds)) {
      done.withLock { $0 += 1 }
    }
    for number in 1...500 {
      #expect(pool.add(()) == .accepted)
      try await until { done.withLock(\.self) == number }
      if number.isMultiple(of: 3) { BlockingThread.sleep(microseconds: UInt32(number % 7)) }
    }
  }
}
