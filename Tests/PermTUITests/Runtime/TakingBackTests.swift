import PermModel
import Testing

@testable import PermTUI

@Suite("Taking back an allow of another dashboard", .timeLimit(.minutes(5)))
struct TakingBackTests {
  private let store = MemoryStore(environment: .linux(sessionFolder: nil))
  private let request = Samples.request("job4", "photos", Story.start, atoms: [Atom("photos", "read")])

  /// Returns the warnings after the request was allowed elsewhere, and then denied here.
  private func warnings(after lifetime: LifetimeChoice) async throws -> [String] {
    _ = try store.open(request)
    let answer = Answer(.allow, atoms: request.atoms, lifetime: lifetime)
    _ = try store.answer([request.id], answer, by: .dashboard(id: "other"))
    let services = DashboardServices(store: store)
    let feed = DashboardFeed(services, reading: try StoreSnapshot(store)) { _ in }
    let (actions, sent) = AsyncStream.makeStream(of: Action.self)
    let effects = DashboardEffects(services, feed: feed) { sent.yield($0) }
    effects.start()
    effects.perform(.takeBack(request.id))
    await effects.finish()
    effects.cancel()
    sent.finish()
    var warnings: [String] = []
    for await case .warned(let text) in actions { warnings.append(text) }
    return warnings
  }

  @Test("undoes what it kept, and says that the program was told yes")
  func kept() async throws {
    let warnings = try await warnings(after: .forever)
    #expect(warnings == ["Taken back. It was already told yes: photos for job4."])
    #expect(try store.decisions(DecisionFilter()).isEmpty)
  }

  @Test("says that it is too late if nothing was kept")
  func once() async throws {
    let warnings = try await warnings(after: .once)
    #expect(warnings == ["Too late: nothing is kept. It was already told yes: photos for job4."])
  }
}
