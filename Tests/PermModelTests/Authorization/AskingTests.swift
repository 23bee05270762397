import Operations
import PermModel
import PermModelTesting
import Testing

@Suite("Asking without a type, without a queue, and by the default", .serialized, .timeLimit(.minutes(5)))
struct AskingTests {
  let answerer: TestAnswerer
  let read: Set = [Atom("photos", "read")]

  init() throws { answerer = try TestAnswerer() }

  private func photos() throws -> CapabilityDescriptor {
    try #require(CapabilityCatalogue.builtIn["photos"])
  }

  @Test("The default authorizer is looked up when it is used, not when a condition is made")
  func lateDefault() async throws {
    let condition = AuthorizedFor(Capability.Photos())
    let ask = GetAuthorizationStatus(Capability.Photos())
    let (answerer, read) = (answerer, read)
    try await withDefaultAuthorizer(nil) {
      await #expect(throws: NoAuthorizer.self) { try await answerer.queue.add(ask).value }
      try answerer.decide(.allow, read)
      Authorizer.default = answerer.authorizer()
      #expect(try await answerer.queue.add(conditions: [condition]) { _ in "ran" }.value == "ran")
      #expect(try await answerer.queue.add(ask).value.isAllowed)
    }
  }

  @Test("A descriptor makes conditions and operations")
  func descriptor() async throws {
    let ask = try photos().authorize(read, by: answerer.authorizer(), reason: "weekly copy")
    #expect(ask.name == "Authorize(photos:read)")
    let asked = answerer.queue.add(ask)
    _ = await answerer.presenter.next()
    answerer.presenter.answer(.allow)
    #expect(try await asked.value.isMet)
    try answerer.decide(.deny, read)
    let condition = try photos().authorized(for: read, by: answerer.authorizer())
    let refused = answerer.queue.add(conditions: [condition]) { _ in }
    #expect(await refused.outcome.error is ConditionsFailed)
  }

  @Test("A program that wants one answer needs no queue")
  func withoutQueue() async throws {
    let authorizer = answerer.authorizer()
    async let found = authorizer.authorize(Capability.Photos(), reason: "weekly copy")
    _ = await answerer.presenter.next()
    answerer.presenter.answer(.allow)
    #expect(try await found.end.answer != nil)
  }
}
