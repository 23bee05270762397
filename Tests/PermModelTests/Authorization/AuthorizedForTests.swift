import Operations
import PermModelTesting
import Testing
import Waiting

@testable import PermModel

@Suite("Operations that need a yes", .timeLimit(.minutes(5)))
struct AuthorizedForTests {
  let answerer: TestAnswerer
  let photos = Capability.Photos()
  let read: Set = [Atom("photos", "read")]

  init() throws { answerer = try TestAnswerer() }

  private var authorized: AuthorizedFor<Capability.Photos> {
    AuthorizedFor(photos, authorizer: answerer.authorizer())
  }

  @Test("An answer for this request alone lets the asker run once, and the next one asks again")
  func once() async throws {
    for _ in 1...2 {
      let handle = answerer.queue.add("copy", conditions: [authorized]) { _ in "copied" }
      _ = await answerer.presenter.next()
      answerer.presenter.answer(.allow, .once)
      #expect(try await handle.value == "copied")
    }
    #expect(answerer.presenter.shown.count == 2)
    #expect(try answerer.standing("photos").decisions.isEmpty)
  }

  @Test("Each operation that a decision lets through is a use of it; a look is none")
  func uses() async throws {
    try answerer.decide(.allow, read)
    answerer.world.pass(.seconds(10))
    let negated = answerer.queue.add("without", conditions: [NegatedCondition(authorized)]) { _ in true }
    await #expect(throws: ConditionsFailed.self) { try await negated.value }
    _ = try await answerer.queue.add(GetAuthorizationStatus(photos, authorizer: answerer.authorizer())).value
    #expect(try answerer.standing("photos").decisions[Atom("photos", "read")]?.lastUsed == nil)
    for _ in 1...2 {
      #expect(
        try await answerer.queue.add("copy", conditions: [SilentCondition(authorized)]) { _ in true }.value)
    }
    #expect(
      try answerer.standing("photos").decisions[Atom("photos", "read")]?.lastUsed == answerer.world.wall)
    let entries = try answerer.journal(.all)
    #expect(entries.map(\.kind) == [.automatic, .decided])
    #expect(entries.first?.count == 2)
  }

  @Test("An answer just given is not recorded as a use as well")
  func answerIsNoUse() async throws {
    let handle = answerer.queue.add("copy", conditions: [authorized]) { _ in true }
    _ = await answerer.presenter.next()
    answerer.presenter.answer(.allow, .forever)
    #expect(try await handle.value)
    #expect(try !answerer.journal().contains(.automatic))
  }

  @Test("A denial fails with status and requirement")
  func denied() async throws {
    let handle = answerer.queue.add("copy", conditions: [authorized]) { _ in true }
    _ = await answerer.presenter.next()
    answerer.presenter.answer(.deny, .forever)
    let failure = await #expect(throws: ConditionsFailed.self) { try await handle.value }
    #expect(
      failure?.first(AuthorizationError<Capability.Photos.Status>.self)
        == .notGranted(Capability.Photos.Status(.denied), requirement: .read))
  }

  @Test("The error says what became of the requirement, and details only where parts differ")
  func words() {
    typealias Photos = AuthorizationError<Capability.Photos.Status>
    typealias Calendar = AuthorizationError<Capability.Calendar.Status>
    typealias Camera = AuthorizationError<Capability.Camera.Status>
    typealias Location = AuthorizationError<Capability.Location.Status>
    let both = Capability.Calendar(.init([.events, .reminders])).requirement
    let camera = Capability.Camera().requirement
    let told = [
      "\(Photos.notGranted(.init(.denied, adding: .denied), requirement: .read))": "photos:read was denied",
      "\(Photos.notGranted(.init(adding: .denied), requirement: .read))": "photos:read is undecided",
      "\(Photos.notGranted(.init(.limited), requirement: .read))": "photos:read is not allowed: limited",
      "\(Calendar.notGranted(.init([.events: .denied, .reminders: .denied]), requirement: both))":
        "calendar:events, calendar:reminders was denied",
      "\(Calendar.notGranted(.init([.events: .denied]), requirement: Capability.Calendar(.reminders).requirement))":
        "calendar:reminders is undecided",
      "\(Calendar.notGranted(.init([.events: .allowed, .reminders: .denied]), requirement: both))":
        "calendar:events, calendar:reminders is not allowed: events allowed, reminders denied",
      "\(Camera.notGranted(.denied, requirement: camera))": "camera was denied",
      "\(Camera.notGranted(.undecided, requirement: camera))": "camera is undecided",
      "\(Camera.notGranted(.restricted, requirement: camera))": "camera is not allowed: restricted",
      "\(Location.notGranted(.init(.denied), requirement: .always))": "location:always was denied",
      "\(Location.notGranted(.init(.whenInUse), requirement: .always))":
        "location:always is not allowed: when in use",
    ]
    for (words, expected) in told { #expect(words == expected) }
  }

  @Test("An unavailable capability fails with the reason, and nobody is asked")
  func unavailable() async {
    let camera = AuthorizedFor(Capability.Camera(), authorizer: answerer.authorizer())
    let handle = answerer.queue.add("film", conditions: [authorized, camera]) { _ in true }
    let failure = await #expect(throws: ConditionsFailed.self) { try await handle.value }
    guard case .unavailable(let why) = failure?.first(AuthorizationError<Capability.Camera.Status>.self)
    else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(why.reason == "no camera is there")
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("A silent condition asks nobody; its negation runs what is meant for without")
  func silent() async throws {
    let silent = answerer.queue.add("with", conditions: [SilentCondition(authorized)]) { _ in true }
    await #expect(throws: ConditionsFailed.self) { try await silent.value }
    let fallback = answerer.queue.add("without", conditions: [NegatedCondition(SilentCondition(authorized))])
    {
      _ in "without"
    }
    #expect(try await fallback.value == "without")
    #expect(answerer.presenter.shown.isEmpty)
    try answerer.decide(.allow, read)
    #expect(
      try await answerer.queue.add("with", conditions: [SilentCondition(authorized)]) { _ in true }.value)
  }

  @Test("A part that was denied before is not asked for again, even together with others")
  func deniedBefore() async throws {
    try answerer.decide(.deny, [Atom("calendar", "events")])
    let both = Capability.Calendar(.init([.events, .reminders]))
    let condition = AuthorizedFor(both, authorizer: answerer.authorizer())
    let handle = answerer.queue.add("sync", conditions: [condition]) { _ in true }
    let failure = await #expect(throws: ConditionsFailed.self) { try await handle.value }
    #expect(
      failure?.first(AuthorizationError<Capability.Calendar.Status>.self)
        == .notGranted(.init([.events: .denied]), requirement: both.requirement))
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("An allow taken back while the operation waits is noticed before it executes")
  func lastLook() async throws {
    try answerer.decide(.allow, read)
    let started = AsyncStream.makeStream(of: Void.self)
    let hold = AsyncStream.makeStream(of: Void.self)
    let holder = answerer.queue.add("holder", conditions: [MutuallyExclusive("disk")]) { _ in
      started.continuation.yield()
      for await _ in hold.stream { break }
    }
    for await _ in started.stream { break }
    let handle = answerer.queue.add("copy", conditions: [authorized, MutuallyExclusive("disk")]) { _ in true }
    try await until { handle.state.isWaitingForExclusion }
    try answerer.decide(.deny, read)
    hold.continuation.yield()
    _ = await holder.outcome
    await #expect(throws: ConditionsFailed.self) { try await handle.value }
  }

  @Test("Cancelling an operation takes its alert off the screen and frees the slot once")
  func cancel() async throws {
    let first = answerer.queue.add("copy", conditions: [authorized]) { _ in true }
    _ = await answerer.presenter.next()
    let other = AuthorizedFor(Capability.Calendar(), authorizer: answerer.authorizer())
    let second = answerer.queue.add("sync", conditions: [other]) { _ in true }
    await answerer.waitForWaiters(2)
    first.cancel()
    #expect(await answerer.presenter.nextRequest()?.request.capability == "calendar")
    answerer.presenter.answer(.allow)
    #expect(try await second.value)
    #expect(answerer.presenter.shown.count == 2)
    #expect(try answerer.journal().contains(.withdrawn))
    #expect(try answerer.store.waitingRequests().isEmpty)
  }

  @Test("Notifications from other machines need their own part, and a service that shows them")
  func remoteNotifications() async throws {
    let condition = RemoteNotificationCondition(authorizer: answerer.authorizer())
    let without = answerer.queue.add("listen", conditions: [condition]) { _ in true }
    await #expect(throws: ConditionsFailed.self) { try await without.value }
    answerer.machine.write(
      "[D-BUS Service]\nName=org.freedesktop.Notifications\n",
      to: "\(answerer.machine.environment.sessionServices[0])/mako.service")
    try answerer.decide(.allow, [Atom("notifications", "alert")])
    let handle = answerer.queue.add("listen", conditions: [condition]) { _ in true }
    #expect(await answerer.presenter.nextRequest()?.action == "pass on messages from other machines")
    answerer.presenter.answer(.allow)
    #expect(try await handle.value)
  }

  @Test(
    "If nobody could be asked it fails with the reason, not as if that had been refused",
    arguments: [false, true])
  func couldNotAsk(isMember: Bool) async throws {
    let busy = LocalAnswerer(
      store: answerer.store, slot: ModalSlot(presenter: BusyRoom(), exclusion: answerer.queue.exclusion),
      environment: answerer.machine.environment, origin: .dashboard(id: "test"), clock: answerer.clock)
    let authorizer = Authorizer(
      subject: Subject(label: "backup"), answerer: busy, environment: answerer.machine.environment,
      policy: .none)
    let alone = AuthorizedFor(photos, authorizer: authorizer)
    let condition: any OperationCondition = isMember ? AnyCondition([alone]) : alone
    let handle = answerer.queue.add("copy", conditions: [condition]) { _ in true }
    let failure = await #expect(throws: ConditionsFailed.self) { try await handle.value }
    #expect(failure?.first(AlertPresenterError.self) == .busy(showing: Alert.ID("other")))
    #expect(failure?.first(AuthorizationError<Capability.Photos.Status>.self) == nil)
  }

  /// A presenter that always shows another alert.
  private struct BusyRoom: AlertPresenter {
    func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
      throw .busy(showing: Alert.ID("other"))
    }
  }
}

extension OperationState {
  var isWaitingForExclusion: Bool {
    if case .waitingForExclusion = self { true } else { false }
  }
}
