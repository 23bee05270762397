import Foundation
import PermModel
import Testing

@testable import Machine
@testable import PermBroker

@Suite("A look at the denied names of a file that takes too long", .timeLimit(.minutes(5)))
struct SlowLookTests {
  private let place: PathPlace

  init() throws { place = try PathPlace() }

  @Test("leaves a doubt about a file with several names, and denies nothing")
  func slowLook() async throws {
    try place.file("secret")
    try place.hardLink("other", to: "secret")
    let denied = Set([place.path("secret")])
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let resolver = PathResolver(patience: .seconds(1), mostThreads: 1)
    let finder = ValueResolver(resolver: resolver, home: "/home/ana") {
      // From now on, the only thread is busy.
      _ = resolver.perform { gate.wait() }
      return DeniedPlaces(denied.map { .path($0) })
    }
    var asked = AskedValues(capability: "files")
    asked.add(place.read("other"))
    let facts = try await finder.resolve(
      asked, by: TestBroker.program("/x").peer, in: nil, forAlert: false
    ).facts
    let fact = try #require(facts.paths.first)
    #expect(fact.scope == place.scope("other"))
    #expect(fact.file != nil)
    #expect(fact.deniedLinks == nil)
    #expect(fact.doubt?.contains("under another name could not be found out in time") == true)
  }
}
