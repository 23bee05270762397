import Operations
import Testing

@Suite("Result injection")
struct InjectionTests {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  private struct Double: Operation {
    let number: Int
    func execute(_ context: OperationContext) async throws -> Int { number * 2 }
  }

  @Test("An operation is made from the output of another")
  func injection() async throws {
    let number = queue.add { _ in 21 }
    #expect(try await queue.add(Injected(from: number) { Double(number: $0) }).value == 42)
  }

  @Test("An operation is made from the outputs of several, in the order given")
  func several() async throws {
    let gate = Gate()
    let slow = queue.add { _ in
      await gate.wait()
      return "slow"
    }
    let fast = queue.add { _ in
      gate.open()
      return "fast"
    }
    let joined = queue.add(
      Injected(from: [slow, fast]) { words in
        BlockOperation { _ in words.joined(separator: " ") }
      })
    #expect(try await joined.value == "slow fast")
  }

  @Test("An operation is made from outputs of different types, in a group and as a child too")
  func differentTypes() async throws {
    let word = queue.add { _ in "sea" }
    let number = queue.add { _ in 2 }
    let repeated = Injected(from: word, number) { word, number in
      BlockOperation { _ in String(repeating: word, count: number) }
    }
    #expect(try await queue.add(repeated).value == "seasea")
    #expect(try await queue.add { try await $0.run(repeated) }.value == "seasea")
    let group = GroupOperation { group in try await group.add(repeated).value }
    #expect(try await queue.add(group).value == "seasea")
  }

  @Test("It waits for what it is made from, before it has a place in the queue")
  func dependencies() async throws {
    let gate = Gate()
    let number = queue.add("number") { _ in
      await gate.wait()
      return 21
    }
    let handle = queue.add(ComposedOperation(Injected(from: number) { Double(number: $0) }))
    #expect(handle.explanation == "waits for “number” to end")
    gate.open()
    #expect(try await handle.value == 42)
  }

  @Test("If the dependency failed, its error comes along with its name")
  func failed() async throws {
    let broken = queue.add("read") { _ -> Int in throw Failure("disk") }
    let handle = queue.add(Injected(from: broken) { Double(number: $0) })
    let error = try await #require(throws: InjectionError.self) { try await handle.value }
    #expect(error.description == "“read”, whose result is needed, failed: \(Failure("disk"))")
  }

  @Test("If the dependency was cancelled, the injected operation is cancelled")
  func cancelled() async throws {
    let cancelled = queue.add { _ -> Int in throw CancellationError() }
    let handle = queue.add(Injected(from: cancelled) { Double(number: $0) })
    #expect(await handle.outcome.word == "cancelled")
  }

  @Test("A result that is required and missing is a typed error")
  func missing() async throws {
    let nothing = queue.add("find") { _ -> Int? in nil }
    let handle = queue.add(Injected(requiring: nothing) { Double(number: $0) })
    let error = try await #require(throws: InjectionError.self) { try await handle.value }
    #expect(error.description == "“find” gave no result, and one is required.")
    let something = queue.add { _ -> Int? in 4 }
    #expect(try await queue.add(Injected(requiring: something) { Double(number: $0) }).value == 8)
  }

  @Test("The operation that was made brings its own conditions")
  func conditions() async throws {
    let number = queue.add { _ in 21 }
    let handle = queue.add(
      Injected(from: number) { number in
        BlockOperation("made", conditions: [Scripted("no", [.failing("no")])]) { _ in number }
      })
    #expect(await handle.failures == ["no"])
  }

  @Test("Ignoring errors gives nothing instead of a failure")
  func ignoringErrors() async throws {
    let broken = IgnoringErrors(BlockOperation { _ -> Int in throw Failure() })
    #expect(try await queue.add(broken).value == nil)
    let refused = IgnoringErrors(BlockOperation("x", conditions: [FalseCondition()]) { _ in 1 })
    #expect(try await queue.add(refused).value == nil)
    #expect(try await queue.add(IgnoringErrors(BlockOperation { _ in 1 })).value == 1)
    let cancelled = IgnoringErrors(BlockOperation { _ -> Int in throw CancellationError() })
    #expect(await queue.add(cancelled).outcome.word == "cancelled")
  }
}
