import Operations
import PermModel
import PermModelTesting
import Testing

@Suite("Asking without a type, without a queue, and by the default", .serialized, .timeLimit(.minutes(5)))
struct AskingTests {
  let desk: TestDesk
  let read: Set = [Atom("photos", "read")]

  init() throws { desk = try TestDesk() }

  private func photos() throws -> CapabilityDescriptor {
    try #require(CapabilityCatalogue.builtIn["photos"])
  }

  @Test("The default authorizer is looked up when it is used, not when a condition is made")
  func lateDefault() async throws {
    let condition = AuthorizedFor(Capability.Photos())
    let ask = GetAuthorizationStatus(Capability.Photos())
    let (desk, read) = (desk, read)
    try await withDefaultAuthorizer(nil) {
      await #expect(throws: NoAuthorizer.self) { try await desk.queue.add(ask).value }
      try desk.decide(.allow, read)
      Authorizer.default = desk.authorizer()
      #expect(try await desk.queue.add(conditions: [condition]) { _ in "ran" }.value == "ran")
      #expect(try await desk.queue.add(ask).value.isAllowed)
    }
  }

  @Test("A descriptor makes conditions and operations")
  func descriptor() async throws {
    let ask = try photos().authorize(read, by: desk.authorizer(), reason: "weekly copy")
    #expect(ask.name == "Authorize(photos:read)")
    let asked = desk.queue.add(ask)
    _ = await desk.presenter.next()
    desk.presenter.answer(.allow)
    #expect(try await asked.value.isMet)
    try desk.decide(.deny, read)
    let condition = try photos().authorized(for: read, by: desk.authorizer())
    let refused = desk.queue.add(conditions: [condition]) { _ in }
    #expect(await refused.outcome.error is ConditionsFailed)
  }

  @Test("A program that wants one answer needs no queue")
  func withoutQueue() async throws {
    let authorizer = desk.authorizer()
    async let found = authorizer.authorize(Capability.Photos(), reason: "weekly copy")
    _ = await desk.presenter.next()
    desk.presenter.answer(.allow)
    #expect(try await found.end.answer != nil)
  }
}
