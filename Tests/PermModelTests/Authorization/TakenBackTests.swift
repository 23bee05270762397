import Operations
import PermModelTesting
import Testing
import Waiting

@testable import PermModel

@Suite("Answers that are taken back while the operation waits", .timeLimit(.minutes(5)))
struct TakenBackTests {
  private let answerer: TestAnswerer
  private let condition: any OperationCondition

  init() throws {
    answerer = try TestAnswerer()
    let files = try #require(CapabilityCatalogue.builtIn["files"])
    let asked = try CapabilityCatalogue.builtIn.parse("files:read@/srv/a").atoms
    condition = files.authorized(for: asked, by: answerer.authorizer())
  }

  private func deny(_ text: String, for subject: Subject = Subject(label: "backup")) throws {
    let atoms = try CapabilityCatalogue.builtIn.parse(text).atoms
    answerer.world.pass(.seconds(1))
    try answerer.store.decide(Ruling(.deny, subject: subject, atoms: atoms), by: .commandLine)
  }

  /// Returns whether an operation runs that was allowed, and then waited for a category until `takeBack` had run.
  private func runs(_ lifetime: LifetimeChoice, _ takeBack: () throws -> Void) async throws -> Bool {
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    let disc = MutuallyExclusive("disc")
    let holder = answerer.queue.add("holder", conditions: [disc]) { _ in
      for await _ in released { break }
    }
    try await until { holder.state.isExecuting }
    let handle = answerer.queue.add("copy", conditions: [condition, disc]) { _ in true }
    _ = await answerer.presenter.next()
    answerer.presenter.answer(.allow, lifetime)
    try await until { if case .waitingForExclusion = handle.state { true } else { false } }
    try takeBack()
    release.yield()
    try await holder.value
    do { return try await handle.value } catch is ConditionsFailed { return false }
  }

  @Test("An answer that stands lets the operation run", arguments: [LifetimeChoice.once, .forever])
  func stands(lifetime: LifetimeChoice) async throws {
    #expect(try await runs(lifetime) {})
  }

  @Test("A kept answer that was undone has no effect")
  func undone() async throws {
    #expect(try await !runs(.forever) { _ = try answerer.store.take(.undo, of: nil, by: .commandLine) })
  }

  @Test("A kept answer that was forgotten has no effect")
  func forgotten() async throws {
    let all = DecisionFilter(subject: Subject(label: "backup"))
    #expect(try await !runs(.forever) { _ = try answerer.store.forget(all, by: .commandLine) })
  }

  private static let overlapping = ["files:read@/srv/a", "files:read@/srv/", "files:read@*"]

  @Test(
    "A later denial that overlaps an answer takes it back, however wide it is", arguments: overlapping,
    [LifetimeChoice.once, .forever])
  func denied(text: String, lifetime: LifetimeChoice) async throws {
    #expect(try await !runs(lifetime) { try deny(text) })
  }

  @Test(
    "A later denial for everyone takes an answer back, too", arguments: overlapping,
    [LifetimeChoice.once, .forever])
  func deniedToEveryone(text: String, lifetime: LifetimeChoice) async throws {
    #expect(try await !runs(lifetime) { try deny(text, for: .everyone) })
  }

  @Test("A later denial of another value changes nothing", arguments: [LifetimeChoice.once, .forever])
  func other(lifetime: LifetimeChoice) async throws {
    #expect(try await runs(lifetime) { try deny("files:read@/srv/b") })
  }
}
