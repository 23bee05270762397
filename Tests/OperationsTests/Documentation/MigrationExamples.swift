import Operations
import Testing

@Suite("Examples of migration")
struct MigrationExamples {
  let queue = OperationQueue(exclusion: ExclusionScheduler())

  // begin example
  struct ReadSettings: Operation {
    func execute(_ context: OperationContext) async throws -> [String: String] {
      ["theme": "dark"]  // return ends it, throw fails it
    }
  }
  // end example

  @Test("Adding, waiting and cancelling")
  func adding() async throws {
    // begin example
    let settings = queue.add(ReadSettings(), conditions: [MutuallyExclusive("settings")])
    let theme = queue.add("theme", after: [settings]) { _ in try await settings.value["theme"] }
    // end example
    #expect(try await theme.value == "dark")
  }

  @Test("Completion blocks and delegates become observers")
  func observing() async throws {
    let log = Log()
    // begin example
    let watched = OperationQueue(
      observers: [
        BlockObserver { event, operation in
          switch event {
          case .added: log.write("\(operation.name) was added")
          case .ended(let outcome): log.write("\(operation.name) \(outcome)")
          default: break
          }
        }
      ])
    try await watched.add("copy") { _ in }.value
    // end example
    #expect(log.lines == ["copy was added", "copy succeeded"])
  }

  @Test("A function that calls back later becomes an operation")
  func callbacks() async throws {
    @Sendable func oldLookUp(_ completion: @escaping @Sendable (Result<String, any Error>) -> Void) {
      completion(.success("found"))
    }
    // begin example
    let found = queue.add("look up") { _ in
      try await withCheckedThrowingContinuation { continuation in
        oldLookUp { result in continuation.resume(with: result) }
      }
    }
    // end example
    #expect(try await found.value == "found")
  }
}
