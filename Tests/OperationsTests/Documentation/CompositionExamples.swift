import Operations
import PermModelTesting
import Testing

@Suite("Examples of composition")
struct CompositionExamples {
  let clock = PatientClock()
  let queue: OperationQueue

  init() { queue = OperationQueue(exclusion: ExclusionScheduler(), clock: clock) }

  @Test("A group")
  func group() async throws {
    // begin example
    let thumbnails = queue.add(
      GroupOperation("thumbnails") { group in
        let pictures = group.add("find") { _ in ["sea.jpg", "sand.jpg"] }
        for picture in try await pictures.value {
          group.add("shrink \(picture)") { _ in print(picture) }
        }
        return try await pictures.value.count
      })
    // end example
    #expect(try await thumbnails.value == 2)
  }

  @Test("A group with a width")
  func width() async throws {
    // begin example
    let uploads = queue.add(
      GroupOperation("uploads", width: 2) { group in
        for picture in ["sea.jpg", "sand.jpg", "sun.jpg"] {
          group.add("upload \(picture)") { _ in print(picture) }
        }
      })
    // end example
    try await uploads.value
  }

  @Test("All errors of a group")
  func errors() async throws {
    struct DiscFull: Error {}
    let group = queue.add(
      GroupOperation(
        "copies", [BlockOperation("a") { _ in throw DiscFull() }, BlockOperation("b") { _ in }]))
    // begin example
    do {
      try await group.value
    } catch let failed as GroupFailed {
      for child in failed.children { print("\(child.operation.name): \(child.error)") }  // a: DiscFull()
    }
    // end example
    await #expect(throws: GroupFailed.self) { try await group.value }
  }

  @Test("Trying again")
  func retry() async throws {
    struct Fetch: Operation {
      let attempt: Int
      func execute(_ context: OperationContext) async throws -> String {
        guard attempt == 2 else { throw Failure("offline") }
        return "page"
      }
    }
    // begin example
    let page = queue.add(
      RetryOperation(
        "fetch", maxAttempts: 4, waiting: .exponential(from: .seconds(1)).capped(at: .seconds(30)),
        decide: { failure in failure.error is CancellationError ? .giveUp : .retry },
        make: { number in Fetch(attempt: number) }))
    // end example
    #expect(try await page.value == "page")
    #expect(clock.waits == [.seconds(1), .seconds(2)])
  }

  @Test("Repeating")
  func repeating() async throws {
    // begin example
    let isReady = queue.add(
      RepeatOperation("poll", maxCount: 10, waiting: .constant(.seconds(5)), while: { !$0 }) { number in
        BlockOperation { _ in number == 3 }
      })
    // end example
    #expect(try await isReady.value == true)
    #expect(clock.waits.count == 3)
  }

  @Test("Delays, gates and errors that do not matter")
  func small() async throws {
    let isWinter = false
    // begin example
    let pause = queue.add(DelayOperation(.seconds(2)))
    let heat = queue.add(GatedOperation(BlockOperation("heat") { _ in "warm" }) { isWinter }, after: [pause])
    let wash = queue.add(IgnoringErrors(BlockOperation("wash") { _ in "clean" }), after: [pause])
    // end example
    #expect(await heat.outcome.word == "skipped")
    #expect(try await wash.value == "clean")
  }

  @Test("Results that other operations are made of")
  func injection() async throws {
    struct Describe: Operation {
      let words: [String]
      func execute(_ context: OperationContext) async throws -> String { words.joined(separator: " ") }
    }
    // begin example
    let who = queue.add("who") { _ in "Ana" }
    let what = queue.add("what") { _ in "sails" }
    let text = queue.add(Injected(from: who, what) { who, what in Describe(words: [who, what]) })

    let found = queue.add("look up") { _ -> String? in "harbour" }
    let place = queue.add(Injected(requiring: found) { place in Describe(words: ["in", "the", place]) })
    // end example
    #expect(try await text.value == "Ana sails")
    #expect(try await place.value == "in the harbour")
  }

  @Test("Another operation with conditions and observers")
  func composed() async throws {
    let queue = OperationQueue(exclusion: ExclusionScheduler(), clock: ManualClock())
    // begin example
    let careful = ComposedOperation(
      BlockOperation("format the disc") { _ in "formatted" }, conditions: [MutuallyExclusive("disc")],
      observers: [TimeoutObserver(.seconds(60))])
    let handle = queue.add(careful)
    // end example
    #expect(try await handle.value == "formatted")
  }
}
