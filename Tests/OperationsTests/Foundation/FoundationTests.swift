import Foundation
import Operations
import OperationsFoundation
import Testing

import class Operations.OperationQueue

@Suite("Beside Foundation")
struct FoundationTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  /// An operation that counts until it is cancelled.
  private final class Counting: Foundation.Operation, @unchecked Sendable {
    let started = Gate()
    let mayEnd = DispatchSemaphore(value: 0)
    let log: Log

    init(_ log: Log) { self.log = log }

    override func main() {
      started.open()
      mayEnd.wait()
      log.write(isCancelled ? "saw the cancelling" : "counted")
    }

    override func cancel() {
      super.cancel()
      mayEnd.signal()
    }
  }

  @Test("An operation of Foundation runs, and is given back when it has ended")
  func runs() async throws {
    let log = Log()
    let block = Foundation.BlockOperation { log.write("ran") }
    block.name = "export"
    let handle = queue.add(ComposedOperation(block))
    #expect(try await handle.value === block)
    #expect(handle.name == "export")
    #expect(block.isFinished)
    #expect(log.lines == ["ran"])
  }

  @Test("Its completion block is called, and stays its owner's")
  func completion() async throws {
    let called = Gate()
    let block = Foundation.BlockOperation {}
    block.completionBlock = { called.open() }
    _ = try await queue.add(ComposedOperation(block)).value
    await called.wait()
  }

  @Test("Conditions keep an operation of Foundation from running")
  func conditions() async throws {
    let log = Log()
    let block = Foundation.BlockOperation { log.write("ran") }
    let handle = queue.add(ComposedOperation(block, conditions: [Scripted("no", [.failing("no")])]))
    #expect(await handle.failures == ["no"])
    #expect(!block.isFinished)
    #expect(log.lines.isEmpty)
  }

  @Test("Operations of Foundation exclude one another")
  func exclusion() async throws {
    let log = Log()
    let handles = (0..<10).map { _ in
      let block = Foundation.BlockOperation {
        log.write("in")
        sched_yield()
        log.write("out")
      }
      return queue.add(ComposedOperation(block, conditions: [MutuallyExclusive("slot")]))
    }
    for handle in handles { _ = try await handle.value }
    #expect(log.lines == Array(repeating: ["in", "out"], count: 10).flatMap { $0 })
  }

  @Test("Cancelling ours cancels Foundation's, and it ends when that does")
  func cancel() async throws {
    let log = Log()
    let counting = Counting(log)
    let handle = queue.add(ComposedOperation(counting))
    await counting.started.wait()
    handle.cancel()
    #expect(await handle.outcome.word == "cancelled")
    #expect(counting.isFinished)
    #expect(log.lines == ["saw the cancelling"])
  }

  @Test("Cancelling Foundation's cancels ours, before it runs and while it does")
  func cancelledByFoundation() async throws {
    let log = Log()
    let counting = Counting(log)
    let handle = queue.add(ComposedOperation(counting))
    await counting.started.wait()
    counting.cancel()
    #expect(await handle.outcome.word == "cancelled")
    let block = Foundation.BlockOperation { log.write("ran") }
    block.cancel()
    #expect(await queue.add(ComposedOperation(block)).outcome.word == "cancelled")
    #expect(log.lines == ["saw the cancelling"])
  }

  @Test("The dependencies of the operation in Foundation are waited for")
  func dependencies() async throws {
    let (log, gate) = (Log(), DispatchSemaphore(value: 0))
    let first = Foundation.BlockOperation {
      gate.wait()
      log.write("first")
    }
    let second = Foundation.BlockOperation { log.write("second") }
    second.addDependency(first)
    let foundationQueue = Foundation.OperationQueue()
    foundationQueue.addOperation(first)
    let handle = queue.add(ComposedOperation(second))
    gate.signal()
    _ = try await handle.value
    #expect(log.lines == ["first", "second"])
  }

  @Test("One that executes or has finished already is waited for, not run again")
  func started() async throws {
    let log = Log()
    let counting = Counting(log)
    let foundationQueue = Foundation.OperationQueue()
    foundationQueue.addOperation(counting)
    await counting.started.wait()
    let handle = queue.add(ComposedOperation(counting))
    counting.mayEnd.signal()
    #expect(try await handle.value === counting)
    #expect(try await queue.add(ComposedOperation(counting)).value === counting)
    #expect(log.lines == ["counted"])
  }

  @Test("An operation of Foundation can depend on one of ours")
  func mirrored() async throws {
    let (gate, log, done) = (Gate(), Log(), Gate())
    let ours = queue.add("ours") { _ in
      await gate.wait()
      log.write("ours")
    }
    let mirror = ours.foundationOperation
    let theirs = Foundation.BlockOperation {
      log.write("theirs")
      done.open()
    }
    theirs.addDependency(mirror)
    let foundationQueue = Foundation.OperationQueue()
    for operation in [mirror, theirs] { foundationQueue.addOperation(operation) }
    gate.open()
    await done.wait()
    #expect(log.lines == ["ours", "theirs"])
    #expect(mirror.name == "ours")
    #expect(mirror.isFinished && !mirror.isExecuting && !mirror.isCancelled)
  }

  @Test("Cancelling a mirrored operation goes both ways")
  func mirroredCancel() async throws {
    let gate = Gate()
    let blocker = queue.add { _ in await gate.wait() }
    let waiting = queue.add(after: [blocker]) { _ in }
    waiting.foundationOperation.cancel()
    #expect(await waiting.outcome.word == "cancelled")

    let other = queue.add(after: [blocker]) { _ in }
    let (mirror, ended) = (other.foundationOperation, Gate())
    mirror.completionBlock = { ended.open() }
    let foundationQueue = Foundation.OperationQueue()
    foundationQueue.addOperation(mirror)
    other.cancel()
    await ended.wait()
    #expect(mirror.isCancelled)
    gate.open()
  }

  @Test("Many operations of Foundation at once all end")
  func many() async throws {
    let log = Log()
    let handles = (0..<500).map { number in
      queue.add(ComposedOperation(Foundation.BlockOperation { log.write("\(number)") }))
    }
    for handle in handles { _ = try await handle.value }
    #expect(Set(log.lines).count == 500)
  }
}
