import Machine
import Operations
import PermModelTesting
import Testing
import Waiting

@testable import PermModel

@Suite("Following what holds", .timeLimit(.minutes(5)))
struct StreamTests {
  let answerer: TestAnswerer
  let photos = Capability.Photos()
  let read: Set = [Atom("photos", "read")]

  init() throws { answerer = try TestAnswerer() }

  // MARK: statusUpdates

  @Test("A status comes first as it is, and then with every change, for each of many consumers")
  func statusUpdates() async throws {
    try await withThrowingTaskGroup(of: [Capability.Photos.Reading].self) { group in
      let started = AsyncStream.makeStream(of: Void.self)
      for _ in 1...8 {
        group.addTask {
          var seen: [Capability.Photos.Reading] = []
          for await found in answerer.authorizer().statusUpdates(of: photos) {
            seen.append(found.status.reading)
            started.continuation.yield()
            if seen.count == 3 { break }
          }
          return seen
        }
      }
      var steps = started.stream.makeAsyncIterator()
      for _ in 1...8 { await steps.next() }
      try answerer.decide(.allow, read)
      for _ in 1...8 { await steps.next() }
      try answerer.store.forget(DecisionFilter(label: "backup"), by: .commandLine)
      for try await seen in group { #expect(seen == [.undecided, .allowed, .undecided]) }
    }
  }

  @Test("A change of another program, or one that changes nothing, is not told")
  func unrelatedChanges() async throws {
    var updates = answerer.authorizer().statusUpdates(of: photos).makeAsyncIterator()
    #expect(await updates.next()?.status.reading == .undecided)
    try answerer.decide(.allow, read, for: "thumbs")
    try answerer.decide(.allow, [Atom("camera")])
    try answerer.decide(.deny, read)
    #expect(await updates.next()?.status.reading == .denied)
  }

  @Test("A decision that ends by time is seen at its end")
  func expiry() async throws {
    let ruling = Ruling(
      .allow, subject: Subject(label: "backup"), atoms: read, lifetime: .duration(.seconds(60)))
    try answerer.store.decide(ruling, by: .commandLine)
    var updates = answerer.authorizer().statusUpdates(of: photos).makeAsyncIterator()
    #expect(await updates.next()?.status.reading == .allowed)
    await answerer.clock.sleepers()
    answerer.world.pass(.seconds(60))
    answerer.clock.advance(by: .seconds(60))
    #expect(await updates.next()?.status.reading == .undecided)
  }

  @Test("The end of a denial for everyone that ends by time is seen without another change")
  func expiryForEveryone() async throws {
    let ruling = Ruling(.deny, subject: .everyone, atoms: read, lifetime: .duration(.seconds(60)))
    try answerer.store.decide(ruling, by: .commandLine)
    var updates = answerer.authorizer().statusUpdates(of: photos).makeAsyncIterator()
    #expect(await updates.next()?.status.reading == .denied)
    await answerer.clock.sleepers()
    answerer.world.pass(.seconds(60))
    answerer.clock.advance(by: .seconds(60))
    #expect(await updates.next()?.status.reading == .undecided)
  }

  @Test(
    "A decision that ends with its process or session is seen at that end",
    arguments: [LifetimeChoice.process, .session])
  func end(lifetime: LifetimeChoice) async throws {
    let ruling = Ruling(
      .allow, subject: Subject(label: "backup"), atoms: read, lifetime: lifetime,
      process: FixedEnvironment.process)
    try answerer.store.decide(ruling, by: .commandLine)
    var updates = answerer.authorizer().statusUpdates(of: photos).makeAsyncIterator()
    #expect(await updates.next()?.status.reading == .allowed)
    answerer.world.change {
      $0.running = []
      $0.session = "session-2"
    }
    #expect(await updates.next()?.status.reading == .undecided)
  }

  @Test("A folder that appears or goes away is seen")
  func machineChanges() async throws {
    var updates = answerer.authorizer().statusUpdates(of: photos).makeAsyncIterator()
    #expect(await updates.next()?.isAvailable == true)
    answerer.machine.remove(answerer.machine.environment.pictures)
    #expect(await updates.next()?.isAvailable == false)
    answerer.machine.makeFolder(answerer.machine.environment.pictures)
    #expect(await updates.next()?.isAvailable == true)
  }

  @Test("A consumer that goes away leaves nothing behind")
  func consumerLeaves() async throws {
    weak var gone: LocalAnswerer?
    do {
      let store = MemoryStore(environment: answerer.world.environment)
      let other = LocalAnswerer(store: store, slot: answerer.slot, environment: answerer.machine.environment)
      gone = other
      let authorizer = Authorizer(
        subject: Subject(label: "x"), answerer: other, environment: answerer.machine.environment)
      for await _ in authorizer.statusUpdates(of: photos) { break }
    }
    for _ in 0..<1_000_000 where gone != nil { await Task.yield() }
    #expect(gone == nil)
  }

  // MARK: The authorized sequence

  private func values(_ capability: some CapabilityType) async -> [Bool] {
    var values: [Bool] = []
    for await value in answerer.authorizer().authorized(for: capability).map(\.isAllowed) {
      values.append(value)
    }
    return values
  }

  @Test("Already allowed, the sequence is true and ends")
  func alreadyAllowed() async throws {
    try answerer.decide(.allow, read)
    #expect(await values(photos) == [true])
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test(
    "Otherwise it is false at once, then the outcome, then it ends",
    arguments: [
      (.answered(Answer(.allow, atoms: [Atom("photos", "read")])), [false, true]),
      (.answered(Answer(.deny, atoms: [Atom("photos", "read")])), [false, false]),
      (.answered(Answer(.allow, atoms: [Atom("photos", "limited")])), [false, false]),
      (.dismissed, [false, false]),
    ] as [(AlertResponse, [Bool])])
  func outcome(response: AlertResponse, expected: [Bool]) async {
    async let values = values(photos)
    _ = await answerer.presenter.next()
    answerer.presenter.answer(response)
    #expect(await values == expected)
  }

  @Test("The first false comes before anybody is asked")
  func falseAtOnce() async {
    var iterator = answerer.authorizer().authorized(for: photos).makeAsyncIterator()
    #expect(await iterator.next() == .notYet)
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("Unavailable and denied before are false twice, and nobody is asked")
  func neverAsked() async throws {
    #expect(await values(Capability.Camera()) == [false, false])
    try answerer.decide(.deny, read)
    #expect(await values(photos) == [false, false])
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("A consumer that goes away while a person is asked gets nothing, and the request is withdrawn")
  func sequenceConsumerLeaves() async throws {
    let consumer = Task { await values(photos) }
    _ = await answerer.presenter.next()
    consumer.cancel()
    #expect(await consumer.value == [false])
    #expect(try answerer.store.waitingRequests().isEmpty)
    #expect(try answerer.journal().last == .withdrawn)
  }

  @Test("Granted fires once, and denied once at the end, each only in its case", arguments: Verdict.allCases)
  func granted(verdict: Verdict) async throws {
    let fired = Record()
    let sequence = answerer.authorizer().authorized(for: photos)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await sequence.whenGranted { fired.add("granted") } }
      group.addTask { await sequence.whenDenied { fired.add("denied") } }
      await answerer.waitForWaiters(2)
      try await until { answerer.presenter.showing != nil }
      answerer.presenter.answer(verdict, .forever)
    }
    #expect(fired.entries == [verdict == .allow ? "granted" : "denied"])
  }
}

/// The recorded events, in order.
final class Record: Sendable {
  private let lock = Lock<[String]>([])

  var entries: [String] { lock.withLock { $0 } }
  func add(_ entry: String) { lock.withLock { $0.append(entry) } }
}
