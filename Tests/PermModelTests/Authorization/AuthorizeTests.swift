import Operations
import PermModelTesting
import Testing

@testable import PermModel

@Suite("Asking whether a program may", .timeLimit(.minutes(5)))
struct AuthorizeTests {
  let desk: TestDesk
  let photos = Capability.Photos()
  let read: Set = [Atom("photos", "read")]

  init() throws { desk = try TestDesk() }

  @Test("An undecided part is asked for, and a kept answer is there when the asker goes on")
  func asks() async throws {
    let authorize = Authorize(photos, authorizer: desk.authorizer(), reason: "weekly copy")
    let handle = desk.queue.add(authorize)
    let alert = await desk.presenter.nextRequest()
    #expect(alert?.request.reason == "weekly copy")
    #expect(alert?.action == "read your photos")
    #expect(alert?.explanation == "All 0 files in ~/Pictures.")
    #expect(alert?.choices.map(\.title) == ["read", "limited"])
    desk.presenter.answer(.allow, .forever)
    let found = try await handle.value
    #expect(found.status == Capability.Photos.Status(.allowed))
    #expect(found.end.answer != nil)
    #expect(try desk.standing("photos").decisions[Atom("photos", "read")]?.lifetime == .forever)
    #expect(try desk.journal() == [.asked, .shown, .answered, .decided])
    #expect(try desk.store.waitingRequests().isEmpty)
  }

  @Test("A denial is a result, not an error")
  func denial() async throws {
    let told = AsyncStream.makeStream(of: Capability.Photos.Status.self)
    let authorize = Authorize(photos, authorizer: desk.authorizer()) { isAvailable, status in
      #expect(isAvailable)
      told.continuation.yield(status)
    }
    let handle = desk.queue.add(authorize)
    _ = await desk.presenter.next()
    desk.presenter.answer(.deny)
    #expect(try await handle.value.status.reading == .denied)
    for await status in told.stream {
      #expect(status.reading == .denied)
      break
    }
    #expect(try desk.standing("photos").decisions.isEmpty)
  }

  @Test("A decided part is not asked for again, and the use is journalled")
  func known() async throws {
    try desk.decide(.allow, read)
    let found = try await desk.queue.add(Authorize(photos, authorizer: desk.authorizer())).value
    #expect(found.status.reading == .allowed)
    #expect(found.end == .known)
    #expect(desk.presenter.shown.isEmpty)
    #expect(try desk.journal().last == .automatic)
    #expect(try desk.standing("photos").decisions[Atom("photos", "read")]?.lastUsed != nil)
  }

  @Test("An unavailable capability is not asked for")
  func unavailable() async throws {
    let found = try await desk.queue.add(
      Authorize(Capability.Camera(), authorizer: desk.authorizer())
    ).value
    #expect(!found.isAvailable)
    #expect(desk.presenter.shown.isEmpty)
  }

  @Test("Looking at a status never asks")
  func statusNeverAsks() async throws {
    let found = try await desk.queue.add(
      GetAuthorizationStatus(photos, authorizer: desk.authorizer())
    ).value
    #expect(found.isAvailable)
    #expect(found.status.reading == .undecided)
    #expect(desk.presenter.shown.isEmpty)
    #expect(try desk.store.waitingRequests().isEmpty)
  }

  @Test("Location asks again for always, and only then")
  func upgrade() async throws {
    try desk.decide(.allow, [Atom("location", "when-in-use")])
    let authorizer = desk.authorizer()
    let inUse = try await desk.queue.add(Authorize(Capability.Location(), authorizer: authorizer)).value
    #expect(inUse.status.authorization == .whenInUse)
    #expect(desk.presenter.shown.isEmpty)
    let handle = desk.queue.add(Authorize(Capability.Location(.always), authorizer: authorizer))
    #expect(await desk.presenter.nextRequest()?.action == "know where you are at any time")
    desk.presenter.answer(.allow, .forever)
    #expect(try await handle.value.status.authorization == .always)
    let again = try await desk.queue.add(Authorize(Capability.Location(.always), authorizer: authorizer))
      .value
    #expect(again.end == .known)
  }

  @Test("A narrower yes denies the rest, so that it is not asked again at once")
  func narrowing() async throws {
    let handle = desk.queue.add(Authorize(photos, authorizer: desk.authorizer()))
    _ = await desk.presenter.next()
    desk.presenter.answer(
      .answered(Answer(.allow, atoms: [Atom("photos", "limited")], lifetime: .forever)))
    #expect(try await handle.value.status.reading == .limited)
    let again = try await desk.queue.add(Authorize(photos, authorizer: desk.authorizer())).value
    #expect(again.end == .known)
    #expect(again.status.reading == .limited)
  }

  @Test("A part that the policy forbids is not asked for")
  func restricted() async throws {
    let policy = MachinePolicy([.init(capability: "photos", parts: ["read"])])
    let authorizer = desk.authorizer(policy: policy)
    let found = try await desk.queue.add(Authorize(photos, authorizer: authorizer)).value
    #expect(found.status.reading == .restricted)
    #expect(desk.presenter.shown.isEmpty)
  }

  @Test("A part that the policy forbids is recorded without an older denial, which is not the reason")
  func restrictedAfterDenial() async throws {
    try desk.decide(.deny, [Atom("photos", "read")])
    let policy = MachinePolicy([.init(capability: "photos", parts: ["read"])])
    _ = try await desk.queue.add(Authorize(photos, authorizer: desk.authorizer(policy: policy))).value
    let entry = try #require(try desk.journal(JournalFilter(kinds: [.automatic])).first)
    #expect(entry.text == "forbidden by the machine's policy")
    #expect(try desk.store.decisions(DecisionFilter()).first?.lastUsed == nil)
  }

  @Test("A muted program is not asked about")
  func muted() async throws {
    try desk.store.decide(.mute(Subject(label: "backup")), by: .commandLine)
    let found = try await desk.queue.add(Authorize(photos, authorizer: desk.authorizer())).value
    #expect(found.end == .muted)
    #expect(desk.presenter.shown.isEmpty)
  }

  @Test("If there is nobody to answer, the asker is told so and no answer is kept")
  func nobodyThere() async throws {
    let slot = ModalSlot(presenter: EmptyRoom(), exclusion: desk.queue.exclusion)
    let authorizer = Authorizer(
      subject: Subject(label: "backup"), store: desk.store, slot: slot, environment: desk.machine.environment)
    let found = try await desk.queue.add(Authorize(photos, authorizer: authorizer)).value
    #expect(found.end == .asked(.nobodyThere))
    #expect(try desk.standing("photos").decisions.isEmpty)
    #expect(try desk.store.waitingRequests().isEmpty)
  }

  @Test("A program that stops waiting is told so, and its alert goes")
  func patience() async throws {
    let handle = desk.queue.add(
      Authorize(photos, authorizer: desk.authorizer(), patience: .seconds(20)))
    let alert = await desk.presenter.nextRequest()
    #expect(alert?.request.givesUpAt == desk.world.wall + .seconds(20))
    await desk.clock.sleepers()
    desk.clock.advance(by: .seconds(20))
    #expect(try await handle.value.end == .asked(.timedOut))
    _ = await desk.waitForSlot { $0 == BoardPicture() }
    #expect(desk.presenter.showing == nil)
    #expect(try desk.journal().last == .timedOut)
  }

  @Test("A dismissed alert allows nothing and stores nothing")
  func dismissed() async throws {
    let handle = desk.queue.add(Authorize(photos, authorizer: desk.authorizer()))
    _ = await desk.presenter.next()
    desk.presenter.answer(.dismissed)
    let found = try await handle.value
    #expect(found.end == .asked(.dismissed))
    #expect(found.status.reading == .undecided)
    #expect(try desk.journal() == [.asked, .shown, .dismissed])
  }
}
