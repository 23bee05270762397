import Operations
import PermModelTesting
import Testing

@Suite("Examples of cancellation")
struct CancellationExamples {
  let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: ManualClock())

  @Test("Work sees that it is cancelled")
  func cooperating() async throws {
    let pages = 0..<Int.max
    let started = Gate()
    // begin example
    let scan = queue.add("scan") { _ in
      for page in pages {
        try Task.checkCancellation()
        if page == 0 { started.open() }
        await Task.yield()
      }
    }
    await started.wait()
    scan.cancel()
    print(await scan.outcome)  // was cancelled
    // end example
    #expect(await scan.outcome.word == "cancelled")
  }

  @Test("An operation behind a cancelled one runs")
  func dependents() async throws {
    let gate = Gate()
    let first = queue.add { _ in await gate.wait() }
    // begin example
    let scan = queue.add("scan", after: [first]) { _ in }
    let tidy = queue.add("tidy up", after: [scan]) { _ in "tidy" }
    scan.cancel()
    print(try await tidy.value)  // tidy
    // end example
    gate.open()
    #expect(await scan.outcome.word == "cancelled")
  }

  @Test("Work may succeed although it was cancelled")
  func finishing() async throws {
    let started = Gate()
    // begin example
    let save = queue.add("save") { _ in
      var saved = 0
      while !Task.isCancelled {
        saved += 1
        if saved == 1 { started.open() }
        await Task.yield()
      }
      return saved
    }
    await started.wait()
    save.cancel()
    print(try await save.value)  // as many as it had saved
    // end example
    #expect(try await save.value > 0)
  }

  @Test("A group passes cancelling on")
  func group() async throws {
    let started = Gate()
    // begin example
    let scans = queue.add(
      GroupOperation("scans") { group in
        for page in 1...3 {
          group.add("page \(page)") { context in
            started.open()
            try await context.queue.clock.sleep(for: .seconds(60))
          }
        }
      })
    await started.wait()
    scans.cancel()
    print(await scans.outcome)  // was cancelled
    // end example
    #expect(await scans.outcome.word == "cancelled")
  }

  @Test("Failing an operation from outside")
  func failing() async throws {
    struct PowerIsLow: Error {}
    let gate = Gate()
    let first = queue.add { _ in await gate.wait() }
    // begin example
    let scan = queue.add("scan", after: [first]) { _ in }
    scan.reference.fail(with: PowerIsLow())
    // end example
    await #expect(throws: PowerIsLow.self) { try await scan.value }
    gate.open()
  }
}
