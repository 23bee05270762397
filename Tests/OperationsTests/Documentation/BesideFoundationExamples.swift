// begin example
import Foundation
import Operations
import OperationsFoundation
import Testing

import class Operations.OperationQueue

// end example

@Suite("Examples of living beside Foundation")
struct BesideFoundationExamples {
  // begin example
  let queue = OperationQueue(name: "ours")
  let theirs = Foundation.OperationQueue()
  // end example

  @Test("An operation of Foundation in our queue")
  func ours() async throws {
    // begin example
    let export = Foundation.BlockOperation { print("exporting") }
    let handle = queue.add(ComposedOperation(export, conditions: [MutuallyExclusive("disc")]))
    print(try await handle.value.isFinished)  // true
    // end example
  }

  @Test("An operation of ours in Foundation's queue")
  func mirrored() async throws {
    let done = Gate()
    // begin example
    let count = queue.add("count") { _ in 42 }
    let mirror = count.foundationOperation
    let report = Foundation.BlockOperation { done.open() }
    report.addDependency(mirror)
    theirs.addOperation(mirror)
    theirs.addOperation(report)
    // end example
    await done.wait()
    #expect(mirror.isFinished)
  }
}
