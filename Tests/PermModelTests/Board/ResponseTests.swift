import Machine
import Operations
import Testing

@testable import PermModel

/// A response at a dashboard, and what its sender is told.
@Suite("A response to an alert", .timeLimit(.minutes(5)))
struct ResponseTests {
  private struct Failure: Error {}

  /// A source that settles an alert when the test says so.
  private final class Source: AlertSource {
    let asked = AsyncStream.makeStream(of: Void.self)
    let result = OneShot<AlertSettling>()
    /// Set once a step can be noted; `nil` if nothing delays it.
    let noting = Lock<OneShot<Void>?>(nil)
    /// The order in which a step was noted and a waiter was told.
    let events = Lock<[String]>([])

    func make(_ alert: Alert.ID, for requests: ItemRequests) -> AlertMaking {
      .made(Alert(id: alert, content: .notice(Notice(title: "question"))))
    }

    func judge(_ requests: ItemRequests) -> [Request.ID: Board.Outcome] {
      Dictionary(uniqueKeysWithValues: requests.ids.map { ($0, .ended(.dismissed)) })
    }

    func settle(_ alert: Alert, _ closing: Board.Closing, _ requests: ItemRequests) async -> AlertSettling {
      asked.continuation.yield()
      return await result.value
    }

    func note(_ step: Board.Step, of requests: [Request.ID]) async {
      await noting.withLock(\.self)?.value
      events.withLock { $0.append("noted") }
    }
  }

  private let keeper = BoardKeeper(Board(), exclusion: ExclusionScheduler())
  private let source = Source()

  /// Brings an alert up at a dashboard.
  private func bringUp() async throws -> (screen: Board.Screen.ID, Alert, RequestWaiter) {
    let screen = try #require(keeper.attach(dashboard: "one"))
    let request = BoardWorld.request("a", of: 1, 1)
    let waiter = RequestWaiter(Asking(request, capability: Capability.Photos()))
    try keeper.ask(Board.Question(request.id, summary: .notice(Notice(title: "a"))), waiter, from: source)
    keeper.stored(request.id)
    for await picture in keeper.pictures(of: screen) {
      if let alert = picture.shown.first?.alert { return (screen, alert, waiter) }
    }
    throw CancellationError()
  }

  @Test("counts though a decision ends the request while the response is being stored")
  func judgedMeanwhile() async throws {
    let (screen, alert, waiter) = try await bringUp()
    async let response: Void = keeper.respond(alert.id, .acknowledged, to: alert.digest, at: screen)
    for await _ in source.asked.stream { break }
    keeper.take([], areDecisionsChanged: true)
    _ = await waiter.outcome.value
    source.result.set(.ended([:]))
    try await response
  }

  @Test("A request that is withdrawn at once ends only when it is noted that its alert was shown")
  func endsAfterItsNotes() async throws {
    let gate = OneShot<Void>()
    source.noting.withLock { $0 = gate }
    let (_, _, waiter) = try await bringUp()
    keeper.leave(waiter.asking.request.id, .ended(.dismissed))
    async let told: Void = {
      _ = await waiter.outcome.value
      source.events.withLock { $0.append("told") }
    }()
    gate.set(())
    await told
    #expect(source.events.withLock(\.self) == ["noted", "told"])
  }

  @Test("does not count for a request that has left, before its waiter is told and after it was asked again")
  func leftMeanwhile() async throws {
    let (_, _, waiter) = try await bringUp()
    let id = waiter.asking.request.id
    let requests = ItemRequests(item: try #require(keeper.board.homes[id]), ids: [id])
    #expect(keeper.waiters(of: requests).count == 1)
    // Another thread carries out effects, and has not come to those of the next event.
    keeper.state.withLock { $0.isDelivering = true }
    keeper.leave(id, .askedAgain)
    #expect(keeper.waiters(of: requests).isEmpty)
    keeper.state.withLock { $0.isDelivering = false }
    keeper.take([], areDecisionsChanged: true)
    guard case .askedAgain = await waiter.outcome.value else {
      return #expect(Bool(false), "not asked again")
    }
    let question = Board.Question(id, summary: .notice(Notice(title: "a")))
    try keeper.ask(question, RequestWaiter(waiter.asking), from: source)
    #expect(keeper.waiters(of: requests).isEmpty)
  }

  @Test("that cannot be stored is told to its sender, and the alert comes up again")
  func notStored() async throws {
    let (screen, alert, _) = try await bringUp()
    let number = try #require(keeper.picture(of: screen)?.shown.first?.number)
    source.result.set(.refused(Failure()))
    await #expect(throws: Failure.self) {
      try await keeper.respond(alert.id, .acknowledged, to: alert.digest, at: screen)
    }
    for await picture in keeper.pictures(of: screen) {
      guard let again = picture.shown.first, again.number != number else { continue }
      #expect(again.alert.id == alert.id)
      break
    }
  }

  @Test("has no effect once another screen has taken the alert, or once it is gone")
  func tooLate() async throws {
    let (screen, alert, _) = try await bringUp()
    let other = try #require(keeper.attach(dashboard: "two"))
    async let first: Void = keeper.respond(alert.id, .acknowledged, to: alert.digest, at: screen)
    for await _ in source.asked.stream { break }
    await #expect(throws: AnswerRefused.notShown(alert.id)) {
      try await keeper.respond(alert.id, .acknowledged, to: alert.digest, at: other)
    }
    source.result.set(.ended([BoardWorld.request("a", of: 1, 1).id: .ended(.dismissed)]))
    try await first
    await #expect(throws: AnswerRefused.notShown(alert.id)) {
      try await keeper.respond(alert.id, .acknowledged, to: alert.digest, at: screen)
    }
  }
}
