import Operations
import PermModelTesting
import Testing
import Waiting

@testable import PermModel

@Suite("Services that need a yes", .timeLimit(.minutes(5)))
struct AuthorizedInstancesTests {
  let answerer: TestAnswerer
  let instances: AuthorizedInstances
  let read: Set = [Atom("photos", "read")]

  init() throws {
    answerer = try TestAnswerer()
    instances = AuthorizedInstances(answerer.authorizer())
  }

  @Test("Allowed, there is one instance for each program, and it works")
  func granted() async throws {
    try answerer.decide(.allow, read)
    try answerer.decide(.allow, read, for: "thumbs")
    answerer.machine.write(to: "\(answerer.machine.environment.pictures)/a.jpg")
    let first = try await granted(instances.instance(of: PhotoLibrary.self))
    let second = try await granted(instances.instance(of: PhotoLibrary.self))
    let other = try await granted(instances.instance(of: PhotoLibrary.self, for: Subject(label: "thumbs")))
    #expect(first === second)
    #expect(first !== other)
    #expect(try first?.count() == 1)
  }

  @Test("Denied or not available, the answer is there at once and nobody is asked")
  func denied() async throws {
    try answerer.decide(.deny, read)
    guard case .denied = try await instances.instance(of: PhotoLibrary.self) else {
      Issue.record("not denied")
      return
    }
    answerer.machine.remove(answerer.machine.environment.systemServices[0])
    guard case .denied = try await instances.instance(of: LocationManager.self) else {
      Issue.record("not denied")
      return
    }
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("Those who wait are called once, in order, also on denial", arguments: Verdict.allCases)
  func waiting(verdict: Verdict) async throws {
    let calls = AsyncStream.makeStream(of: (Int, LocationManager?).self)
    for number in 1...5 {
      let answer = try await instances.instance(of: LocationManager.self) { instance in
        calls.continuation.yield((number, instance))
      }
      guard case .waiting = answer else {
        Issue.record("\(number) does not wait")
        return
      }
    }
    _ = await answerer.presenter.next()
    answerer.presenter.answer(verdict, .forever)
    var order: [Int] = []
    for await (number, instance) in calls.stream {
      order.append(number)
      #expect((instance != nil) == (verdict == .allow))
      #expect(instance?.provider == (verdict == .allow ? "org.freedesktop.GeoClue2" : nil))
      if number == 5 { break }
    }
    #expect(order == [1, 2, 3, 4, 5])
    #expect(answerer.presenter.shown.count == 1)
  }

  @Test("A caller that leaves is not called; when all have left, the request is withdrawn")
  func leaving() async throws {
    let calls = Record()
    var waits: [InstanceWait] = []
    for _ in 1...2 {
      if case .waiting(let wait) = try await instances.instance(
        of: PhotoLibrary.self, whenAnswered: { _ in calls.add("called") })
      {
        waits.append(wait)
      }
    }
    _ = await answerer.presenter.next()
    waits[0].cancel()
    #expect(answerer.presenter.showing != nil)
    waits[1].cancel()
    _ = await answerer.waitForSlot { $0 == BoardPicture() }
    #expect(calls.entries.isEmpty)
    try await until { try answerer.store.waitingRequests().isEmpty }
  }

  @Test("An instance is dropped when its permission is taken back, and a later allow makes a new one")
  func takenBack() async throws {
    try answerer.decide(.allow, read)
    weak let first = try await granted(instances.instance(of: PhotoLibrary.self))
    #expect(first != nil)
    try answerer.decide(.deny, read)
    for _ in 0..<1_000_000 where first != nil { await Task.yield() }
    #expect(first == nil)
    try answerer.decide(.allow, read)
    #expect(try await granted(instances.instance(of: PhotoLibrary.self)) != nil)
  }

  private func granted<Service>(_ answer: InstanceAnswer<Service>) -> Service? {
    if case .granted(let service) = answer { service } else { nil }
  }

  @Test("A caller that finds a denial drops the instance, so that allowed again it is a new one")
  func droppedByLook() async throws {
    for _ in 0..<50 {
      try answerer.decide(.allow, read)
      let first = try await granted(instances.instance(of: PhotoLibrary.self))
      try answerer.decide(.deny, read)
      guard case .denied = try await instances.instance(of: PhotoLibrary.self) else {
        Issue.record("not denied")
        return
      }
      try answerer.decide(.allow, read)
      let second = try await granted(instances.instance(of: PhotoLibrary.self))
      try #require(first !== second)
    }
  }

  private enum TakingBack: CaseIterable { case deny, denyEveryone, forget, undo, panic, implied }

  @Test("A permission taken back and given again makes a new instance, even if nobody looks in between")
  func givenAgain() async throws {
    for way in TakingBack.allCases {
      try answerer.store.forget(DecisionFilter(subject: Subject(label: "backup")), by: .commandLine)
      try answerer.decide(.allow, read)
      let first = try await granted(instances.instance(of: PhotoLibrary.self))
      try takeBackAndGiveAgain(way)
      let second = try await granted(instances.instance(of: PhotoLibrary.self))
      #expect(first != nil && second != nil && first !== second, "\(way)")
      try #expect(await granted(instances.instance(of: PhotoLibrary.self)) === second, "\(way)")
    }
  }

  private func takeBackAndGiveAgain(_ way: TakingBack) throws {
    let store = answerer.store
    answerer.world.pass(.seconds(1))
    switch way {
    case .deny: try answerer.decide(.deny, read)
    case .denyEveryone:
      try store.decide(Ruling(.deny, subject: .everyone, atoms: read), by: .commandLine)
      try store.forget(DecisionFilter(subject: .everyone), by: .commandLine)
    case .forget: try store.forget(DecisionFilter(subject: Subject(label: "backup")), by: .commandLine)
    case .undo:
      try store.undo(by: .commandLine)
      try store.take(.redo, by: .commandLine)
    case .panic:
      try store.setSuspended(true, by: .commandLine)
      try store.setSuspended(false, by: .commandLine)
    case .implied: try answerer.decide(.deny, [Atom("photos", "limited")])
    }
    answerer.world.pass(.seconds(1))
    if way != .undo { try answerer.decide(.allow, read) }
  }

  @Test("Changes to other permissions leave the instance as it is")
  func unconcerned() async throws {
    try answerer.decide(.allow, read)
    let first = try await granted(instances.instance(of: PhotoLibrary.self))
    try answerer.decide(.deny, read, for: "thumbs")
    try answerer.decide(.deny, [Atom("calendar", "events")])
    try answerer.decide(.allow, [Atom("photos", "add-only")])
    #expect(try await granted(instances.instance(of: PhotoLibrary.self)) === first)
  }

  @Test("A service can be derived from another one")
  func derived() async throws {
    try answerer.decide(.allow, read)
    let base = try await granted(instances.instance(of: Library.self))
    let derived = try await granted(instances.instance(of: TravelLibrary.self))
    #expect(base?.title == "library" && derived?.title == "travel")
    #expect(try await granted(instances.instance(of: TravelLibrary.self)) === derived)
  }
}

/// A service that is not final.
private class Library: AuthorizedService, @unchecked Sendable {
  class var capability: Capability.Photos { Capability.Photos(.read) }
  var title: String { "library" }

  required init(_ token: AuthorizationToken) {}
}

private final class TravelLibrary: Library, @unchecked Sendable {
  override var title: String { "travel" }
}

/// The pictures in a folder, built only for a program that is allowed to see them.
private final class PhotoLibrary: AuthorizedService {
  static let capability = Capability.Photos(.read)

  private let folder: String

  init(_ token: AuthorizationToken) { folder = token.environment.pictures }

  func count() throws -> Int { try PictureFolder(folder).count(since: nil) }
}

/// The source of this machine's location, built only for a program that is allowed to know it.
private final class LocationManager: AuthorizedService {
  static let capability = Capability.Location(.whenInUse)

  private let services: [String]

  init(_ token: AuthorizationToken) { services = token.environment.systemServices }

  var provider: String? { BusServices(folders: services).provider(of: "org.freedesktop.GeoClue2") }
}
