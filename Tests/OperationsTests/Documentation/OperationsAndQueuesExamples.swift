import Logging
import Operations
import OperationsExtras
import PermModelTesting
import Testing

// begin example
struct CountPictures: Operation {
  let album: [String]

  func execute(_ context: OperationContext) async throws -> Int {
    album.count { $0.hasSuffix(".jpg") }
  }
}
// end example

@Suite("Examples of operations and queues")
struct OperationsAndQueuesExamples {
  @Test("Adding gives a handle")
  func adding() async throws {
    // begin example
    let queue = OperationQueue(name: "albums")
    let count = queue.add(CountPictures(album: ["sea.jpg", "notes.txt"]))
    let greeting = queue.add("greet") { _ in "Hello" }

    print(try await greeting.value, try await count.value)  // Hello 1
    // end example
    #expect(try await count.value == 1)
  }

  @Test("Order comes from dependencies and priorities")
  func order() async throws {
    let log = Log()
    // begin example
    let queue = OperationQueue(name: "albums", width: 2, isSuspended: true)
    let read = queue.add("read") { _ in log.write("read") }
    let index = queue.add("index", after: [read]) { _ in log.write("indexed") }
    queue.add("report", after: [read, index], options: .init(priority: .high)) { _ in log.write("reported") }

    queue.isSuspended = false
    await queue.waitUntilIdle()
    // end example
    #expect(log.lines == ["read", "indexed", "reported"])
  }

  @Test("An operation tells where it is")
  func telling() async throws {
    let gate = Gate()
    let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: ManualClock())
    // begin example
    let slow = queue.add("slow") { _ in await gate.wait() }
    let next = queue.add("next", after: [slow]) { _ in }

    print(next.explanation)  // waits for “slow” to end
    // end example
    #expect(next.explanation == "waits for “slow” to end")
    let log = Log()
    // begin example
    gate.open()
    for await event in next.events {
      log.write("\(event)")  // added, dependenciesEnded, executing, ended(succeeded)
    }
    // end example
    #expect(log.lines == ["added", "dependenciesEnded", "executing", "ended(succeeded)"])
    // begin example
    let outcome = await next.outcome(within: .seconds(1))
    print(outcome?.isSuccess ?? false)  // true
    // end example
    #expect(outcome?.isSuccess == true)
  }

  @Test("Each kind of waiting has a deadline of its own")
  func deadlines() async throws {
    let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: ManualClock())
    // begin example
    let handle = queue.add(
      CountPictures(album: ["sea.jpg"]),
      options: .init(
        deadlines: Deadlines(dependencies: .seconds(60), human: .seconds(120), execution: .seconds(5))))
    // end example
    #expect(try await handle.value == 1)
  }

  @Test("Children and added operations")
  func producing() async throws {
    let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: ManualClock())
    // begin example
    let total = queue.add("total") { context in
      let seaside = try await context.run(CountPictures(album: ["sea.jpg", "sand.jpg"]))
      let city = try await context.run(CountPictures(album: ["bridge.jpg"]))
      context.produce("log") { _ in print("counted") }
      return seaside + city
    }
    // end example
    #expect(try await total.value == 3)
    await queue.waitUntilIdle()
  }

  @Test("Observers see every step")
  func observers() async throws {
    let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: ManualClock())
    let log = Log()
    // begin example
    let observers: [any OperationObserver] = [
      TimeoutObserver(.seconds(30)),  // waiting included
      LoggingObserver(threshold: .notice),  // of OperationsExtras
      BlockObserver { event, operation in
        if case .ended(let outcome) = event { log.write("\(operation.name) \(outcome)") }
      },
    ]
    try await queue.add("copy", options: .init(observers: observers)) { _ in }.value
    // end example
    #expect(log.lines == ["copy succeeded"])
  }
}
