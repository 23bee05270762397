import Operations
import PermModelTesting
import Testing

@testable import PermModel

@Suite("Asking whether a program may", .timeLimit(.minutes(5)))
struct AuthorizeTests {
  let answerer: TestAnswerer
  let photos = Capability.Photos()
  let read: Set = [Atom("photos", "read")]

  init() throws { answerer = try TestAnswerer() }

  @Test("An undecided part is asked for, and a kept answer is there when the asker goes on")
  func asks() async throws {
    let authorize = Authorize(photos, authorizer: answerer.authorizer(), reason: "weekly copy")
    let handle = answerer.queue.add(authorize)
    let alert = await answerer.presenter.nextRequest()
    #expect(alert?.request.reason == "weekly copy")
    #expect(alert?.action == "read your photos")
    #expect(alert?.explanation == "All 0 files in ~/Pictures.")
    #expect(alert?.choices.map(\.title) == ["read", "limited"])
    answerer.presenter.answer(.allow, .forever)
    let found = try await handle.value
    #expect(found.status == Capability.Photos.Status(.allowed))
    #expect(found.end.answer != nil)
    #expect(try answerer.standing("photos").decisions[Atom("photos", "read")]?.lifetime == .forever)
    #expect(try answerer.journal() == [.asked, .shown, .answered, .decided])
    #expect(try answerer.store.waitingRequests().isEmpty)
  }

  @Test("A denial is a result, not an error")
  func denial() async throws {
    let told = AsyncStream.makeStream(of: Capability.Photos.Status.self)
    let authorize = Authorize(photos, authorizer: answerer.authorizer()) { isAvailable, status in
      #expect(isAvailable)
      told.continuation.yield(status)
    }
    let handle = answerer.queue.add(authorize)
    _ = await answerer.presenter.next()
    answerer.presenter.answer(.deny)
    #expect(try await handle.value.status.reading == .denied)
    for await status in told.stream {
      #expect(status.reading == .denied)
      break
    }
    #expect(try answerer.standing("photos").decisions.isEmpty)
  }

  @Test("A decided part is not asked for again, and the use is journalled")
  func known() async throws {
    try answerer.decide(.allow, read)
    let found = try await answerer.queue.add(Authorize(photos, authorizer: answerer.authorizer())).value
    #expect(found.status.reading == .allowed)
    #expect(found.end == .known)
    #expect(answerer.presenter.shown.isEmpty)
    #expect(try answerer.journal().last == .automatic)
    #expect(try answerer.standing("photos").decisions[Atom("photos", "read")]?.lastUsed != nil)
  }

  @Test("An unavailable capability is not asked for")
  func unavailable() async throws {
    let found = try await answerer.queue.add(
      Authorize(Capability.Camera(), authorizer: answerer.authorizer())
    ).value
    #expect(!found.isAvailable)
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("Looking at a status never asks")
  func statusNeverAsks() async throws {
    let found = try await answerer.queue.add(
      GetAuthorizationStatus(photos, authorizer: answerer.authorizer())
    ).value
    #expect(found.isAvailable)
    #expect(found.status.reading == .undecided)
    #expect(answerer.presenter.shown.isEmpty)
    #expect(try answerer.store.waitingRequests().isEmpty)
  }

  @Test("Location asks again for always, and only then")
  func upgrade() async throws {
    try answerer.decide(.allow, [Atom("location", "when-in-use")])
    let authorizer = answerer.authorizer()
    let inUse = try await answerer.queue.add(Authorize(Capability.Location(), authorizer: authorizer)).value
    #expect(inUse.status.authorization == .whenInUse)
    #expect(answerer.presenter.shown.isEmpty)
    let handle = answerer.queue.add(Authorize(Capability.Location(.always), authorizer: authorizer))
    #expect(await answerer.presenter.nextRequest()?.action == "know where you are at any time")
    answerer.presenter.answer(.allow, .forever)
    #expect(try await handle.value.status.authorization == .always)
    let again = try await answerer.queue.add(Authorize(Capability.Location(.always), authorizer: authorizer))
      .value
    #expect(again.end == .known)
  }

  @Test("A narrower yes denies the rest, so that it is not asked again at once")
  func narrowing() async throws {
    let handle = answerer.queue.add(Authorize(photos, authorizer: answerer.authorizer()))
    _ = await answerer.presenter.next()
    answerer.presenter.answer(
      .answered(Answer(.allow, atoms: [Atom("photos", "limited")], lifetime: .forever)))
    #expect(try await handle.value.status.reading == .limited)
    let again = try await answerer.queue.add(Authorize(photos, authorizer: answerer.authorizer())).value
    #expect(again.end == .known)
    #expect(again.status.reading == .limited)
  }

  @Test("A part that the policy forbids is not asked for")
  func restricted() async throws {
    let policy = MachinePolicy([.init(capability: "photos", parts: ["read"])])
    let authorizer = answerer.authorizer(policy: policy)
    let found = try await answerer.queue.add(Authorize(photos, authorizer: authorizer)).value
    #expect(found.status.reading == .restricted)
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("A part that the policy forbids is recorded without an older denial, which is not the reason")
  func restrictedAfterDenial() async throws {
    try answerer.decide(.deny, [Atom("photos", "read")])
    let policy = MachinePolicy([.init(capability: "photos", parts: ["read"])])
    _ = try await answerer.queue.add(Authorize(photos, authorizer: answerer.authorizer(policy: policy))).value
    let entry = try #require(try answerer.journal(JournalFilter(kinds: [.automatic])).first)
    #expect(entry.text == "forbidden by the machine's policy")
    #expect(try answerer.store.decisions(DecisionFilter()).first?.lastUsed == nil)
  }

  @Test("A muted program is not asked about")
  func muted() async throws {
    try answerer.store.decide(.mute(Subject(label: "backup")), by: .commandLine)
    let found = try await answerer.queue.add(Authorize(photos, authorizer: answerer.authorizer())).value
    #expect(found.end == .muted)
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("If there is nobody to answer, the asker is told so and no answer is kept")
  func nobodyThere() async throws {
    let slot = ModalSlot(presenter: EmptyRoom(), exclusion: answerer.queue.exclusion)
    let authorizer = Authorizer(
      subject: Subject(label: "backup"), store: answerer.store, slot: slot,
      environment: answerer.machine.environment)
    let found = try await answerer.queue.add(Authorize(photos, authorizer: authorizer)).value
    #expect(found.end == .asked(.nobodyThere))
    #expect(try answerer.standing("photos").decisions.isEmpty)
    #expect(try answerer.store.waitingRequests().isEmpty)
  }

  @Test("A program that stops waiting is told so, and its alert goes")
  func patience() async throws {
    let handle = answerer.queue.add(
      Authorize(photos, authorizer: answerer.authorizer(), patience: .seconds(20)))
    let alert = await answerer.presenter.nextRequest()
    #expect(alert?.request.givesUpAt == answerer.world.wall + .seconds(20))
    await answerer.clock.sleepers()
    answerer.clock.advance(by: .seconds(20))
    #expect(try await handle.value.end == .asked(.timedOut))
    _ = await answerer.waitForSlot { $0 == BoardPicture() }
    #expect(answerer.presenter.showing == nil)
    #expect(try answerer.journal().last == .timedOut)
  }

  @Test("A dismissed alert allows nothing and stores nothing")
  func dismissed() async throws {
    let handle = answerer.queue.add(Authorize(photos, authorizer: answerer.authorizer()))
    _ = await answerer.presenter.next()
    answerer.presenter.answer(.dismissed)
    let found = try await handle.value
    #expect(found.end == .asked(.dismissed))
    #expect(found.status.reading == .undecided)
    #expect(try answerer.journal() == [.asked, .shown, .dismissed])
  }
}
