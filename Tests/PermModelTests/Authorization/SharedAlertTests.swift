import Operations
import PermModelTesting
import Testing
import Waiting

@testable import PermModel

@Suite("Which requests share an alert, and what an answer answers", .timeLimit(.minutes(5)))
struct SharedAlertTests {
  let answerer: TestAnswerer
  let read: Set = [Atom("photos", "read")]

  init() throws { answerer = try TestAnswerer() }

  private func ask(
    _ details: RequestDetails = RequestDetails(), evidence: Evidence? = nil
  ) -> OperationHandle<Authorization<Capability.Photos.Status>> {
    var authorizer = answerer.authorizer()
    authorizer.evidence = evidence
    return answerer.queue.add(Authorize(Capability.Photos(), authorizer: authorizer, details: details))
  }

  private func evidence(_ pid: Int32, in folder: String = "/home/ana") -> Evidence {
    Evidence(
      process: ProcessIdentity(pid: pid, startTime: 7), program: "/bin/backup", chain: ["bash"],
      workingDirectory: folder)
  }

  /// Keeps the slot busy, so that requests wait in line.
  private func blockSlot() async -> OperationHandle<AlertResponse> {
    let blocker = answerer.queue.add(AlertOperation(title: "notice", in: answerer.slot))
    _ = await answerer.presenter.next()
    return blocker
  }

  @Test("Requests that a person could tell apart get an alert each, and a yes for one answers that one")
  func differentQuestions() async throws {
    let blocker = await blockSlot()
    let handles = [
      ask(RequestDetails(reason: "weekly copy")), ask(RequestDetails(reason: "wipe everything")),
      ask(RequestDetails(reason: "weekly copy", suggestedLifetime: .forever)),
      ask(RequestDetails(reason: "weekly copy"), evidence: evidence(1)),
      ask(RequestDetails(reason: "weekly copy"), evidence: evidence(2, in: "/tmp")),
    ]
    await answerer.waitForWaiters(handles.count)
    answerer.presenter.answer(.acknowledged)
    _ = await blocker.outcome
    for _ in handles.dropLast() {
      let shown = try #require(await answerer.presenter.nextRequest())
      answerer.presenter.answer(shown.request.reason == "wipe everything" ? .deny : .allow)
    }
    _ = await answerer.presenter.next()
    // The notice, and an alert for each request.
    #expect(answerer.presenter.shown.count == 1 + handles.count)
    answerer.presenter.answer(.allow)
    let states = await handles.asyncStates()
    #expect(states == [.allowed, .denied, .allowed, .allowed, .allowed])
  }

  @Test("No request joins an alert that is on the screen")
  func nothingJoinsWhatIsShown() async throws {
    let first = ask()
    _ = await answerer.presenter.next()
    let second = ask()
    await answerer.waitForWaiters(2)
    answerer.presenter.answer(.allow)
    #expect(try await first.value.status.reading == .allowed)
    _ = await answerer.presenter.next()
    #expect(answerer.presenter.shown.count == 2)
    answerer.presenter.answer(.deny)
    #expect(try await second.value.status.reading == .denied)
  }

  @Test("An answer by id ends that request only; those that share its alert go on waiting")
  func answerByID() async throws {
    let blocker = await blockSlot()
    let handles = [ask(), ask(), ask()]
    await answerer.waitForWaiters(3)
    answerer.presenter.answer(.acknowledged)
    _ = await blocker.outcome
    _ = await answerer.presenter.next()
    let ids = try answerer.store.waitingRequests().map(\.id)
    try answerer.store.answer(ids[1], Answer(.deny, atoms: read), by: .commandLine)
    await answerer.waitForWaiters(2)
    #expect(answerer.presenter.showing != nil)
    answerer.presenter.answer(.allow)
    let states = await handles.asyncStates()
    #expect(states.filter { $0 == .allowed }.count == 2)
    #expect(states.filter { $0 == .denied }.count == 1)
  }

  @Test(
    "An answer that was not offered keeps nothing and allows nothing",
    arguments: [
      Answer(.allow, atoms: [Atom("photos", "read")], lifetime: .forever),
      Answer(.allow, atoms: [Atom("photos", "read"), Atom("calendar", "events")]),
      Answer(.allow, atoms: [Atom("calendar", "events")]),
      Answer(.allow, atoms: []),
    ])
  func notOffered(_ answer: Answer) async throws {
    var doubtful = evidence(1)
    doubtful.doubt = "it hides"
    let handle = ask(evidence: doubtful)
    _ = await answerer.presenter.next()
    answerer.presenter.answer(.answered(answer))
    let status = try? await handle.value.status
    #expect(status?.reading != .allowed)
    #expect(try answerer.store.decisions().isEmpty)
    #expect(try answerer.store.journal(JournalFilter(kinds: [.answered]), .newest(1)).isEmpty)
  }

  @Test("An authorizer that cannot note a use allows what is allowed, and denies what is denied")
  func useNotNoted() async throws {
    try answerer.decide(.allow, read)
    let authorizer = Authorizer(
      subject: Subject(label: "backup"), answerer: ForgetfulAnswerer(base: answerer.answerer),
      environment: answerer.machine.environment)
    let handle = answerer.queue.add(Authorize(Capability.Photos(), authorizer: authorizer))
    #expect(try await handle.value.status.reading == .allowed)
    try answerer.store.decide(.mute(Subject(label: "backup")), by: .commandLine)
    let muted = answerer.queue.add(Authorize(Capability.Photos(.addOnly), authorizer: authorizer))
    #expect(try await muted.value.end == .muted)
  }

  /// A answerer on a full disk.
  private struct ForgetfulAnswerer: PermissionAnswerer {
    let base: LocalAnswerer
    func judgement(
      on atoms: Set<Atom>, _ values: Resolution, by judge: Judge
    ) async throws -> Judgement {
      try await base.judgement(on: atoms, values, by: judge)
    }
    func decisionChanges(
      on atoms: Set<Atom>, _ values: Resolution, by judge: Judge
    ) throws -> AsyncStream<Void> {
      try base.decisionChanges(on: atoms, values, by: judge)
    }
    func answer(to asking: Asking) async throws -> RequestEnd { try await base.answer(to: asking) }
    func record(_ answer: AutomaticAnswer) throws { throw StoreError.diskFull(path: "store") }
    var now: Timestamp { base.now }
    func makeID() -> String { base.makeID() }
  }

  @Test("Authorizers on one store and slot share their alerts")
  func sharedDesk() async throws {
    func authorizer() -> Authorizer {
      Authorizer(
        subject: Subject(label: "backup"), store: answerer.store, slot: answerer.slot,
        environment: answerer.machine.environment)
    }
    let blocker = await blockSlot()
    let handles = [1, 2].map { _ in
      answerer.queue.add(Authorize(Capability.Photos(), authorizer: authorizer()))
    }
    try await until { try answerer.store.waitingRequests().count >= 2 }
    answerer.presenter.answer(.acknowledged)
    _ = await blocker.outcome
    _ = await answerer.presenter.next()
    answerer.presenter.answer(.allow)
    for handle in handles { #expect(try await handle.value.status.reading == .allowed) }
    #expect(answerer.presenter.shown.count == 2, "the notice and one request")
  }
}

@Suite("A prompt and the categories of those who ask", .timeLimit(.minutes(5)))
struct PromptLeaseTests {
  let answerer: TestAnswerer

  init() throws { answerer = try TestAnswerer() }

  private var authorize: Authorize<Capability.Photos> {
    Authorize(Capability.Photos(), authorizer: answerer.authorizer())
  }

  /// Asks from inside an operation that holds a category.
  private func askHolding(_ category: ExclusionCategory) -> OperationHandle<Void> {
    answerer.queue.add("holder", conditions: [MutuallyExclusive(category)]) { [authorize] context in
      try await context.run(authorize)
    }
  }

  @Test(
    "A category is free once the operation that asked under it has been cancelled, though another goes on asking"
  )
  func categoryIsFree() async throws {
    let first = askHolding(ExclusionCategory("disc"))
    _ = await answerer.presenter.next()
    let second = answerer.queue.add(authorize)
    await answerer.waitForWaiters(2)
    first.cancel()
    _ = await first.outcome
    let third = answerer.queue.add("third", conditions: [MutuallyExclusive("disc")]) { _ in "ran" }
    let ran = try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask { try await third.value }
      group.addTask {
        for _ in 0..<200_000 where !Task.isCancelled { await Task.yield() }
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    #expect(ran == "ran", "the category is still held")
    // Any alert that is shown now is the second's.
    try await until { answerer.presenter.showing != nil }
    answerer.presenter.answer(.allow)
    _ = await second.outcome
    _ = await third.outcome
  }

  @Test("Setting an alert aside harms nobody after the operation that asked first has been cancelled")
  func setAsideAfterCancel() async throws {
    let first = askHolding(ExclusionCategory("disc"))
    _ = await answerer.presenter.next()
    let second = answerer.queue.add(authorize)
    await answerer.waitForWaiters(2)
    first.cancel()
    _ = await first.outcome
    try await until { answerer.presenter.showing != nil }
    let id = try #require(answerer.presenter.showing?.id)
    answerer.presenter.answer(.setAside)
    try await until { answerer.presenter.reopen(id) }
    try await until { answerer.presenter.showing != nil || second.state.hasEnded }
    answerer.presenter.answer(.allow)
    #expect(try await second.value.status.reading == .allowed)
  }

  @Test("An operation that holds the modal slot gets its answer though another waits in line for the same")
  func wizard() async throws {
    let (holds, reached) = (Gate(), Gate())
    let wizard = answerer.queue.add(
      "wizard", conditions: [MutuallyExclusive(ModalSlot.category)]
    ) { [authorize] context in
      holds.open()
      await reached.wait()
      return try await context.run(authorize).status.reading
    }
    await holds.wait()
    let outside = answerer.queue.add(authorize)
    await answerer.waitForWaiters(1)
    reached.open()
    await answerer.waitForWaiters(2)
    for _ in 0..<100_000 where answerer.presenter.showing == nil { await Task.yield() }
    try #require(answerer.presenter.showing != nil, "the wizard's alert waits for the wizard")
    answerer.presenter.answer(.deny)
    #expect(try await wizard.value == .denied)
    try await until { answerer.presenter.showing != nil }
    answerer.presenter.answer(.allow)
    #expect(try await outside.value.status.reading == .allowed)
  }

  /// A gate that opens once.
  private final class Gate: Sendable {
    private let stream = AsyncStream.makeStream(of: Void.self)
    func open() { stream.continuation.finish() }
    func wait() async { for await _ in stream.stream {} }
  }
}

extension [OperationHandle<Authorization<Capability.Photos.Status>>] {
  /// The outcome of each, as its status.
  fileprivate func asyncStates() async -> [Capability.Photos.Reading?] {
    var states: [Capability.Photos.Reading?] = []
    for handle in self { states.append(try? await handle.value.status.reading) }
    return states
  }
}
