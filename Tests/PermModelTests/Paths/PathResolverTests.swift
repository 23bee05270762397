import Dispatch
import Glibc
import Testing
import Waiting

@testable import Machine

@Suite("The resolver of paths", .timeLimit(.minutes(5)))
struct PathResolverTests {
  let own = ProcessHandle.own
  let startTime = ProcessStat(of: ProcessHandle.own)?.startTime ?? 0

  @Test("A path is resolved")
  func aPathIsResolved() async throws {
    let resolver = PathResolver()
    let found = try await resolver.resolve(Array("/tmp/../tmp".utf8), by: own, startedAt: startTime)
    #expect(found.text == "/tmp")
    await #expect(throws: PathDoubt.notAPath) {
      try await resolver.resolve([], by: own, startedAt: startTime)
    }
  }

  @Test("A lookup that hangs is given up")
  func aLookupThatHangsIsGivenUp() async throws {
    let hang = Hang()
    defer { hang.end() }
    let resolver = PathResolver(patience: .milliseconds(200), mostThreads: 32, lookup: hang.lookup)
    await #expect(throws: PathDoubt.tooSlow) { try await resolver.resolve([1], by: own, startedAt: 0) }
  }

  @Test("A lookup that hangs holds up no other")
  func aLookupThatHangsHoldsUpNoOther() async throws {
    let hang = Hang()
    let resolver = PathResolver(patience: .seconds(1000), mostThreads: 32, lookup: hang.lookup)
    async let hanging = resolver.resolve([1], by: own, startedAt: 0)
    try await until { hang.started.withLock { $0 } == 1 }
    #expect(try await resolver.resolve([0], by: own, startedAt: 0) == Hang.answer)
    hang.end()
    #expect(try await hanging == Hang.answer)
  }

  @Test("Few threads hang, and the line moves on once they come back")
  func fewThreadsHang() async throws {
    let hang = Hang()
    let resolver = PathResolver(patience: .milliseconds(200), mostThreads: 2, lookup: hang.lookup)
    await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask {
          await #expect(throws: PathDoubt.tooSlow) { try await resolver.resolve([1], by: 1, startedAt: 0) }
        }
      }
    }
    #expect(hang.started.withLock { $0 } == 2)
    // The line has not moved for too long.
    await #expect(throws: PathDoubt.tooSlow) { try await resolver.resolve([0], by: 1, startedAt: 0) }
    hang.end()
    // The threads come back and empty the line.
    try await until { hang.started.withLock({ $0 }) >= 20 }
    try await until { (try? await resolver.resolve([0], by: 1, startedAt: 0)) != nil }
  }

  @Test("A cancelled task does not wait")
  func aCancelledTaskDoesNotWait() async throws {
    let hang = Hang()
    defer { hang.end() }
    let resolver = PathResolver(patience: .seconds(1000), mostThreads: 1, lookup: hang.lookup)
    let task = Task { try await resolver.resolve([1], by: 1, startedAt: 0) }
    task.cancel()
    await #expect(throws: PathDoubt.tooSlow) { try await task.value }
  }

  @Test("A burst is resolved")
  func aBurstIsResolved() async throws {
    let resolver = PathResolver(patience: .seconds(60))
    let found = await withTaskGroup { group in
      for _ in 0..<200 {
        group.addTask { [own, startTime] in
          (try? await resolver.resolve(Array("/tmp/new".utf8), by: own, startedAt: startTime)) != nil
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(found == 200)
  }
}

/// A lookup that hangs if the path begins with 1, as it would in a dead file system.
private final class Hang: Sendable {
  static let answer = ResolvedPath(path: [0], spelling: [0])
  let started = Lock(0)
  private let gate = DispatchSemaphore(value: 0)

  var lookup: PathResolver.Lookup {
    { (spelled, _) throws(PathDoubt) in
      if spelled.first == 1 {
        self.started.withLock { $0 += 1 }
        self.gate.wait()
        self.gate.signal()
      }
      return Self.answer
    }
  }

  func end() { gate.signal() }
}
