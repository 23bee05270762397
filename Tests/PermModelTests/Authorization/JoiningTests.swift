import Machine
import Operations
import PermModelTesting
import Testing
import Waiting

@testable import PermModel

@Suite("Requests that share a prompt", .timeLimit(.minutes(5)))
struct JoiningTests {
  let answerer: TestAnswerer
  let read: Set = [Atom("photos", "read")]

  init() throws { answerer = try TestAnswerer() }

  private func ask(
    _ reason: String? = nil, as label: String = "backup"
  ) -> OperationHandle<Authorization<Capability.Photos.Status>> {
    answerer.queue.add(
      Authorize(Capability.Photos(), authorizer: answerer.authorizer(label), reason: reason))
  }

  /// Asks several times while another alert is shown, and returns once all requests share one alert on the screen.
  private func askTogether(
    _ count: Int
  ) async throws -> ([OperationHandle<Authorization<Capability.Photos.Status>>], RequestAlert) {
    let blocker = answerer.queue.add(AlertOperation(title: "notice", in: answerer.slot))
    _ = await answerer.presenter.next()
    let handles = (0..<count).map { _ in ask() }
    await answerer.waitForWaiters(count)
    answerer.presenter.answer(.acknowledged)
    _ = await blocker.outcome
    return (handles, try #require(await answerer.presenter.nextRequest()))
  }

  @Test("An alert counts each other request of its program once, also those that share an alert")
  func reachOfShared() async throws {
    let blocker = answerer.queue.add(AlertOperation(title: "notice", in: answerer.slot))
    _ = await answerer.presenter.next()
    var handles = [ask()]
    await answerer.waitForWaiters(1)
    handles += [ask("again"), ask("again"), ask(as: "other")]
    await answerer.waitForWaiters(4)
    answerer.presenter.answer(.acknowledged)
    _ = await blocker.outcome
    let alert = try #require(await answerer.presenter.nextRequest())
    #expect(alert.reach(cover: 0) == AnswerReach(allow: 2, deny: 2))
    for handle in handles { handle.cancel() }
    for handle in handles { _ = await handle.outcome }
  }

  @Test("Requests of one program for the same become one prompt, and all get the answer")
  func join() async throws {
    let (handles, alert) = try await askTogether(5)
    #expect(Set(alert.requestIDs) == Set(try answerer.store.waitingRequests().map(\.id)))
    answerer.presenter.answer(.allow)
    for handle in handles { #expect(try await handle.value.status.reading == .allowed) }
    #expect(answerer.presenter.shown.count == 2, "the notice and one request")
    #expect(try answerer.store.waitingRequests().isEmpty)
    #expect(try answerer.journal().filter { $0 == .answered }.count == 5)
  }

  @Test("Another program, and a request for something else, ask for themselves")
  func doNotJoin() async throws {
    let first = ask()
    _ = await answerer.presenter.next()
    let second = ask(as: "thumbs")
    let third = answerer.queue.add(
      Authorize(Capability.Photos(.addOnly), authorizer: answerer.authorizer()))
    await answerer.waitForWaiters(3)
    for _ in 1...2 {
      answerer.presenter.answer(.allow)
      _ = await answerer.presenter.next()
    }
    answerer.presenter.answer(.deny)
    _ = await (first.outcome, second.outcome, third.outcome)
    #expect(answerer.presenter.shown.count == 3)
  }

  @Test("An asker that leaves is removed and the prompt stays; when all have left it is withdrawn")
  func leave() async throws {
    let (handles, _) = try await askTogether(3)
    handles[0].cancel()
    await answerer.waitForWaiters(2)
    #expect(answerer.presenter.showing != nil)
    handles[1].cancel()
    handles[2].cancel()
    _ = await answerer.waitForSlot { $0 == BoardPicture() }
    for handle in handles { await #expect(throws: CancellationError.self) { try await handle.value } }
    #expect(answerer.presenter.showing == nil)
    #expect(try answerer.store.waitingRequests().isEmpty)
    #expect(try answerer.journal().filter { $0 == .withdrawn }.count == 3)
  }

  @Test(
    "A decision made elsewhere ends the requests that it covers, shown or in line",
    arguments: Verdict.allCases)
  func decidedElsewhere(verdict: Verdict) async throws {
    let shown = ask()
    _ = await answerer.presenter.next()
    let waiting = ask(as: "thumbs")
    await answerer.waitForWaiters(2)
    try answerer.decide(verdict, read, for: "thumbs")
    #expect(try await waiting.value.status.reading == (verdict == .allow ? .allowed : .denied))
    #expect(answerer.presenter.shown.count == 1)
    try answerer.decide(verdict, read)
    #expect(try await shown.value.status.reading == (verdict == .allow ? .allowed : .denied))
    _ = await answerer.waitForSlot { $0 == BoardPicture() }
    #expect(try answerer.store.waitingRequests().isEmpty)
  }

  @Test("A request that another process answers by its id ends with that answer")
  func answeredElsewhere() async throws {
    let handle = ask()
    let request = await answerer.presenter.nextRequest()?.request
    let id = try #require(request?.id)
    try answerer.store.answer(id, Answer(.allow, atoms: read), by: .commandLine)
    #expect(try await handle.value.status.reading == .allowed)
    #expect(try answerer.standing("photos").decisions.isEmpty)
    _ = await answerer.waitForSlot { $0 == BoardPicture() }
  }

  @Test("A kept answer answers every request that it covers, and the alert says how many that are")
  func reach() async throws {
    let handles = [ask("one"), ask("two"), ask("three"), ask("four", as: "thumbs")]
    _ = await answerer.presenter.next()
    await answerer.waitForWaiters(4)
    let all = answerer.queue.add(
      Authorize(
        Capability.Photos(.init([.read, .addOnly])), authorizer: answerer.authorizer(),
        reason: "both"))
    await answerer.waitForWaiters(5)
    // When it is reopened, it reports the requests that wait by then.
    answerer.presenter.answer(.setAside)
    var alert = try #require(await answerer.presenter.nextRequest())
    if alert.request.subject.label == "thumbs" {
      answerer.presenter.answer(.setAside)
      alert = try #require(await answerer.presenter.nextRequest())
    }
    // The program has two others: one for the same, and one for more, which a yes to this does not settle.
    #expect(alert.reach == AnswerReach(allow: 2, deny: 2))
    answerer.presenter.answer(.allow, .forever)
    for handle in handles.dropLast() { #expect(try await handle.value.status.reading == .allowed) }
    await answerer.waitForWaiters(2)
    handles[3].cancel()
    all.cancel()
    _ = await (all.outcome, handles[3].outcome)
  }

  @Test("An answer for this request answers no other, though the others ask for the same")
  func once() async throws {
    let handles = [ask("one"), ask("two")]
    _ = await answerer.presenter.next()
    await answerer.waitForWaiters(2)
    answerer.presenter.answer(.allow, .once)
    #expect(await answerer.presenter.nextRequest()?.request.reason != nil)
    #expect(answerer.presenter.shown.count == 2)
    answerer.presenter.answer(.deny, .once)
    let readings = try await [handles[0].value.status.reading, handles[1].value.status.reading]
    #expect(Set(readings) == [.allowed, .denied])
  }

  @Test(
    "An answer to what has changed while it was read is no answer: the question is asked again, as it is now")
  func changedWhileRead() async throws {
    let handle = answerer.queue.add(
      Authorize(Capability.Photos(.init([.read, .addOnly])), authorizer: answerer.authorizer()))
    let first = try #require(await answerer.presenter.nextRequest())
    #expect(first.choices[0].atoms.count == 2)
    try answerer.decide(.deny, [Atom("photos", "add-only")])
    answerer.presenter.answer(.allow, .forever)
    let second = try #require(await answerer.presenter.nextRequest())
    #expect(second.choices[0].atoms == read)
    #expect(try answerer.standing("photos").allowed.isEmpty)
    answerer.presenter.answer(.allow)
    #expect(try await handle.value.status.reading == .allowed)
  }

  @Test(
    "An alert for several processes offers no lifetime that ends with one of them, and says which they are")
  func severalProcesses() async throws {
    let blocker = answerer.queue.add(AlertOperation(title: "notice", in: answerer.slot))
    _ = await answerer.presenter.next()
    let handles = [11, 12, 12].map { (pid: Int32) in
      var authorizer = answerer.authorizer()
      authorizer.evidence = Evidence(process: ProcessIdentity(pid: pid, startTime: 1), program: "/bin/b")
      return answerer.queue.add(Authorize(Capability.Photos(), authorizer: authorizer))
    }
    await answerer.waitForWaiters(3)
    answerer.presenter.answer(.acknowledged)
    _ = await blocker.outcome
    let shown = await answerer.presenter.next()
    guard case .request(let alert) = shown.content else {
      Issue.record("no request")
      return
    }
    #expect(alert.lifetimes.first { $0.choice == .process }?.disabledReason == "several processes ask")
    let lines = PlainAlert(shown, isInDashboard: true).lines
    let told = try #require(lines.first { $0.hasPrefix("Asked: 3 times, by pids ") })
    #expect(told.contains("11") && told.contains("12"))
    answerer.presenter.answer(.deny)
    for handle in handles { #expect(try await handle.value.status.reading == .denied) }
  }

  @Test("The panic key denies what waits")
  func panic() async throws {
    let handle = ask()
    _ = await answerer.presenter.next()
    try answerer.store.setSuspended(true, by: .commandLine)
    #expect(try await handle.value.status.reading == .denied)
    _ = await answerer.waitForSlot { $0 == BoardPicture() }
    let denied = try #require(try answerer.store.journal(.all, .newest(9)).first { $0.kind == .automatic })
    #expect(denied.text == "the panic")
  }

  @Test("Set aside, the program goes on waiting and the store knows")
  func setAside() async throws {
    let handle = ask()
    let alert = await answerer.presenter.next()
    answerer.presenter.answer(.setAside)
    _ = await answerer.waitForSlot { !$0.aside.isEmpty }
    try await until { try answerer.store.waitingRequests().first?.setAsideAt != nil }
    try await until { answerer.presenter.reopen(alert.id) }
    #expect(await answerer.presenter.next().id == alert.id)
    try await until { try answerer.store.waitingRequests().first?.setAsideAt == nil }
    answerer.presenter.answer(.allow)
    #expect(try await handle.value.status.reading == .allowed)
  }

  @Test("A decision that was made while the alert stood in line makes it unnecessary")
  func decidedInLine() async throws {
    let blocker = answerer.queue.add(AlertOperation(title: "notice", in: answerer.slot))
    _ = await answerer.presenter.next()
    let handle = ask()
    await answerer.waitForWaiters(1)
    try answerer.decide(.allow, read)
    answerer.presenter.answer(.acknowledged)
    _ = await blocker.outcome
    #expect(try await handle.value.status.reading == .allowed)
    #expect(answerer.presenter.shown.count == 1)
  }

  @Test("Many programs ask and leave at random, and exactly one alert is ever shown")
  func stress() async throws {
    let seed = UInt64.random(in: 0 ..< .max)
    var random = SeededGenerator(seed: seed)
    var handles: [OperationHandle<Authorization<Capability.Photos.Status>>] = []
    for number in 0..<200 { handles.append(ask(as: "program \(number % 40)")) }
    for handle in handles where Int.random(in: 0..<3, using: &random) == 0 { handle.cancel() }
    let answering = Task { [presenter = answerer.presenter] in
      while !Task.isCancelled {
        presenter.answer(.allow)
        await Task.yield()
      }
    }
    for handle in handles { _ = await handle.outcome }
    answering.cancel()
    #expect(try answerer.store.waitingRequests().isEmpty, "seed \(seed)")
    _ = await answerer.waitForSlot { $0 == BoardPicture() }
    #expect(answerer.slot.keeper.board.items.isEmpty, "seed \(seed)")
  }
}

/// Random numbers that repeat for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
