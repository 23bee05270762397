import Machine
import Operations
import PermModelTesting
import Testing
import Waiting

@testable import PermModel

@Suite("The modal slot", .timeLimit(.minutes(5)))
struct ModalSlotTests {
  let presenter = ScriptedPresenter()
  let queue = OperationQueue(name: "test", exclusion: ExclusionScheduler())
  let slot: ModalSlot

  init() { slot = ModalSlot(presenter: presenter, exclusion: queue.exclusion) }

  @Test("Of many alerts exactly one is shown, and the picture has the others in order")
  func oneAtATime() async throws {
    let handles = await addOneByOne(["a", "b", "c"])
    _ = await presenter.next()
    let picture = slot.picture
    #expect(picture.up?.summary == "a")
    #expect(picture.line.map(\.summary) == ["b", "c"])
    #expect(picture.count == 3)
    for title in ["a", "b", "c"] {
      #expect(presenter.showing?.summary == title)
      presenter.answer(.acknowledged)
      if title != "c" { _ = await presenter.next() }
    }
    for handle in handles { #expect(try await handle.value == .acknowledged) }
    await waitUntilFree(slot)
  }

  @Test("Alerts that come at the same moment are shown in the order in which all see them wait")
  func orderOfArrival() async throws {
    let alerts = (0..<100).map { number in
      number.isMultiple(of: 3)
        ? Alert(id: Alert.ID("\(number)"), content: .notice(Notice(title: "notice \(number)")))
        : Self.alert(String(repeating: "p", count: number), "\(number)")
    }
    for alert in alerts { queue.add(alert.summary) { [slot] _ in try await slot.present(alert) } }
    var shown = [await presenter.next().summary]
    let expected = shown + (await waitForSlot { $0.count == alerts.count }).line.map(\.summary)
    while shown.count < alerts.count {
      presenter.answer(.acknowledged)
      shown.append(await presenter.next().summary)
    }
    presenter.answer(.acknowledged)
    #expect(shown == expected)
  }

  @Test("The next alert is shown only once the response to the one before is taken")
  func taking() async throws {
    let (responses, taken) = AsyncStream.makeStream(of: AlertResponse.self)
    let first = queue.add("first") { [slot, presenter] _ in
      try await slot.present(
        Self.alert("a", "1"),
        take: { response in
          #expect(slot.picture.line.count == 1 && presenter.shown.count == 1)
          taken.yield(response)
          return 7
        })
    }
    _ = await presenter.next()
    let second = queue.add("second") { [slot] _ in try await slot.present(Self.alert("b", "2")) }
    _ = await waitForSlot { $0.count == 2 }
    presenter.answer(.dismissed)
    #expect(await responses.first { _ in true } == .dismissed)
    #expect(try await first.value == 7)
    _ = await presenter.next()
    presenter.answer(.acknowledged)
    #expect(try await second.value == .acknowledged)
  }

  @Test("Programs take turns: one that floods does not keep another one waiting behind all of its requests")
  func turns() async throws {
    let handles = await addOneByOne([("flood", "1"), ("flood", "2"), ("flood", "3"), ("backup", "4")])
    let order = ["flood 1", "backup 4", "flood 2", "flood 3"].map { " for \"\($0)\"" }
    #expect(await presenter.next().summary == order[0])
    #expect(slot.picture.line.map(\.summary) == Array(order.dropFirst()))
    for summary in order.dropFirst() {
      presenter.answer(.dismissed)
      #expect(await presenter.next().summary == summary)
    }
    presenter.answer(.dismissed)
    for handle in handles { #expect(try await handle.value == .dismissed) }
    await waitUntilFree(slot)
  }

  @Test("A request that leaves before its program's turn does not move any other")
  func leavingTheTurn() async throws {
    let handles = await addOneByOne([("flood", "1"), ("flood", "2"), ("flood", "3")])
    _ = await presenter.next()
    handles[1].cancel()
    await #expect(throws: CancellationError.self) { try await handles[1].value }
    presenter.answer(.dismissed)
    #expect(await presenter.next().summary == " for \"flood 3\"")
    presenter.answer(.dismissed)
    #expect(try await handles[2].value == .dismissed)
  }

  /// Adds requests of programs, each once the previous one is in the line.
  private func addOneByOne(_ requests: [(program: String, name: String)]) async
    -> [OperationHandle<AlertResponse>]
  {
    var handles: [OperationHandle<AlertResponse>] = []
    for request in requests {
      let alert = Self.alert(request.program, request.name)
      handles.append(queue.add(request.name) { [slot] _ in try await slot.present(alert) })
      _ = await waitForSlot { $0.count == handles.count }
    }
    return handles
  }

  private static func alert(_ program: String, _ name: String) -> Alert {
    let subject = Subject(label: "\(program) \(name)", path: "/bin/\(program)", file: file(program))
    let request = Request(
      id: Request.ID(name), subject: subject, capability: "", atoms: [],
      askedAt: Timestamp(microseconds: 0))
    let content = RequestAlert(
      request: request, title: "", action: "", explanation: "", severity: .mild, choices: [],
      identity: .asSeen, lifetimes: [])
    return Alert(id: Alert.ID(name), content: .request(content))
  }

  private static func file(_ program: String) -> FileIdentity {
    FileIdentity(inode: UInt64(program.utf8.count), birth: 1)
  }

  @Test("A waiting alert that is cancelled leaves, and nobody else moves")
  func cancelWaiter() async throws {
    let handles = await addOneByOne(["a", "b", "c"])
    _ = await presenter.next()
    handles[1].cancel()
    _ = await handles[1].outcome
    _ = await waitForSlot { $0.line.map(\.summary) == ["c"] }
    #expect(presenter.showing?.summary == "a")
    presenter.answer(.acknowledged)
    #expect(await presenter.next().summary == "c")
    presenter.answer(.acknowledged)
    _ = await handles[2].outcome
    #expect(presenter.shown.map(\.summary) == ["a", "c"])
  }

  @Test("Cancelling the alert that is shown takes it away and lets the next one in, once")
  func cancelShown() async throws {
    let handles = await addOneByOne(["a", "b", "c"])
    _ = await presenter.next()
    handles[0].cancel()
    #expect(await presenter.next().summary == "b")
    #expect(slot.picture.line.map(\.summary) == ["c"])
    await #expect(throws: CancellationError.self) { try await handles[0].value }
    presenter.answer(.acknowledged)
    #expect(await presenter.next().summary == "c")
    presenter.answer(.acknowledged)
    _ = await handles[2].outcome
  }

  @Test("An alert that is set aside frees the slot and comes back when it is taken up")
  func setAside() async throws {
    let handles = await addOneByOne(["a", "b"])
    let first = await presenter.next()
    presenter.answer(.setAside)
    #expect(await presenter.next().summary == "b")
    #expect(slot.picture.aside.map(\.summary) == ["a"])
    try await until { presenter.reopen(first.id) }
    presenter.answer(.acknowledged)
    #expect(await presenter.next().id == first.id)
    presenter.answer(.acknowledged)
    #expect(try await handles[0].value == .acknowledged)
  }

  @Test("Cancelling an alert that was set aside takes it off the list")
  func cancelAside() async throws {
    let handles = await addOneByOne(["a"])
    _ = await presenter.next()
    presenter.answer(.setAside)
    _ = await waitForSlot { !$0.aside.isEmpty }
    handles[0].cancel()
    _ = await handles[0].outcome
    await waitUntilFree(slot)
  }

  @Test("An operation that holds the slot itself can show an alert inside, by its lease")
  func lease() async throws {
    let handle = queue.add("outer", conditions: [MutuallyExclusive(ModalSlot.category)]) { [slot] context in
      try await context.run(AlertOperation(title: "inside", in: slot))
    }
    #expect(await presenter.next().summary == "inside")
    presenter.answer(.acknowledged)
    #expect(try await handle.value == .acknowledged)
  }

  @Test("With nobody there, the alert fails and the slot is free")
  func nobodyThere() async {
    let slot = ModalSlot(presenter: EmptyRoom(), exclusion: queue.exclusion)
    let handle = queue.add(AlertOperation(title: "a", in: slot))
    await #expect(throws: AlertPresenterError.nobodyThere) { try await handle.value }
    await waitUntilFree(slot)
  }

  @Test(
    "Confirmed is satisfied; refused and not answered are failures of their own kind",
    arguments: [
      (.confirmed, nil), (.refused, .refused), (.dismissed, .notAnswered),
    ] as [(AlertResponse, UserConfirmationError?)])
  func confirmation(response: AlertResponse, error: UserConfirmationError?) async throws {
    let handle = queue.add("delete", conditions: [UserConfirmationCondition("Delete 12 albums?", in: slot)]) {
      _ in true
    }
    #expect(await presenter.next().summary == "Delete 12 albums?")
    presenter.answer(response)
    guard let error else {
      #expect(try await handle.value)
      return
    }
    let failure = await #expect(throws: ConditionsFailed.self) { try await handle.value }
    #expect(failure?.first(UserConfirmationError.self) == error)
  }

  @Test("A silent confirmation asks nobody and fails as not answered")
  func silentConfirmation() async {
    let condition = SilentCondition(UserConfirmationCondition("Delete?", in: slot))
    let handle = queue.add("delete", conditions: [condition]) { _ in true }
    let failure = await #expect(throws: ConditionsFailed.self) { try await handle.value }
    #expect(failure?.first(UserConfirmationError.self) == .notAnswered)
    #expect(presenter.shown.isEmpty)
  }

  @Test("Once questions are refused, the one in line never comes up, even if it is the last to hear of it")
  func refusedInLine() async throws {
    let isDemanded = Lock(false)
    let (watches, watched) = AsyncStream.makeStream(of: AsyncStream<Void>.Continuation.self)
    let refusal = QuestionRefusal(isDemanded: { isDemanded.withLock { $0 } }) {
      let (changes, change) = AsyncStream.makeStream(of: Void.self)
      watched.yield(change)
      return changes
    }
    let slot = ModalSlot(presenter: presenter, exclusion: queue.exclusion, refusing: refusal)
    let open = queue.add(AlertOperation(Confirmation(title: "open"), in: slot))
    #expect(await presenter.next().summary == "open")
    let change = try #require(await watches.first { _ in true })
    let line = queue.add(AlertOperation(Confirmation(title: "in line"), in: slot))
    for await picture in slot.pictures where picture.count == 2 { break }
    let notice = queue.add(AlertOperation(title: "notice", in: slot))
    isDemanded.withLock { $0 = true }
    change.yield()
    #expect(try await open.value == .refused)
    #expect(await presenter.next().summary == "notice")
    #expect(try await line.value == .refused)
    presenter.answer(.acknowledged)
    #expect(try await notice.value == .acknowledged)
  }

  /// Adds notices, each once the previous one is in the line.
  private func addOneByOne(_ titles: [String]) async -> [OperationHandle<AlertResponse>] {
    var handles: [OperationHandle<AlertResponse>] = []
    for title in titles {
      handles.append(queue.add(AlertOperation(title: title, in: slot)))
      _ = await waitForSlot { $0.count == handles.count }
    }
    return handles
  }

  /// Waits until a slot shows nothing and has nothing in line. An outcome arrives a moment before its alert is gone.
  private func waitUntilFree(_ slot: ModalSlot) async {
    for await picture in slot.pictures where picture == BoardPicture() { return }
  }

  private func waitForSlot(_ isWanted: (BoardPicture) -> Bool) async -> BoardPicture {
    for await picture in slot.pictures where isWanted(picture) { return picture }
    return slot.picture
  }
}
