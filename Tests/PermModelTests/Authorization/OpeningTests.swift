import Operations
import PermModelTesting
import Testing

@testable import PermModel

@Suite("An alert whose request is being written to the store", .serialized, .timeLimit(.minutes(5)))
struct OpeningTests {
  private let base: TestAnswerer
  private let store: WatchedStore
  private let answerer: LocalAnswerer
  /// A queue with threads of its own, because writing to a paused store blocks a thread.
  private let queue: OperationQueue

  init() throws {
    base = try TestAnswerer()
    store = WatchedStore(base.store)
    answerer = LocalAnswerer(
      store: store, slot: base.slot, environment: base.machine.environment, origin: .dashboard(id: "test"))
    queue = OperationQueue(quiet: "test", exclusion: base.queue.exclusion)
  }

  /// Asks while the store cannot be changed, and gives the alert time to come to the screen.
  private func askAtPausedStore() async -> OperationHandle<Authorization<Capability.Photos.Status>> {
    store.pause()
    let authorizer = Authorizer(
      subject: Subject(label: "backup"), answerer: answerer, environment: base.machine.environment)
    let asked = queue.add(Authorize(Capability.Photos(.init([.read, .addOnly])), authorizer: authorizer))
    _ = await base.waitForSlot { !$0.line.isEmpty }
    for _ in 0..<1_000 where base.presenter.shown.isEmpty { await Task.yield() }
    return asked
  }

  @Test("waits in line, and is shown only when the request is in the store")
  func shownAfterwards() async throws {
    let asked = await askAtPausedStore()
    #expect(base.presenter.shown.isEmpty)
    #expect(try base.store.waitingRequests().isEmpty)
    store.resume()
    let alert = try #require(await base.presenter.nextRequest())
    #expect(try base.store.waitingRequests().map(\.id) == alert.requestIDs)
    base.presenter.answer(.allow)
    #expect(try await asked.value.status.reading == .allowed)
  }

  @Test("is never shown if the request cannot be written")
  func neverShown() async throws {
    let asked = await askAtPausedStore()
    store.fail(.diskFull(path: "/store"))
    store.resume()
    await #expect(throws: StoreError.self) { try await asked.value }
    _ = await base.waitForSlot { $0 == BoardPicture() }
    #expect(base.presenter.shown.isEmpty)
  }

  @Test("asks only about what is still undecided when it is shown")
  func decidedMeanwhile() async throws {
    let asked = await askAtPausedStore()
    try base.decide(.allow, [Atom("photos", "add-only")])
    store.resume()
    let alert = try #require(await base.presenter.nextRequest())
    #expect(alert.choices.first?.atoms == [Atom("photos", "read")])
    base.presenter.answer(.allow)
    #expect(try await asked.value.status.reading == .allowed)
  }

  @Test("is not shown if decisions answer the request meanwhile")
  func answeredMeanwhile() async throws {
    let asked = await askAtPausedStore()
    try base.decide(.deny, [Atom("photos", "read"), Atom("photos", "add-only")])
    store.resume()
    #expect(try await asked.value.status.reading == .denied)
    _ = await base.waitForSlot { $0 == BoardPicture() }
    #expect(base.presenter.shown.isEmpty)
    #expect(try base.store.waitingRequests().isEmpty)
    #expect(try base.journal(.all).first { $0.request != nil }?.text == "decided meanwhile")
  }

  @Test("and its request ends in the store, even if that is attempted just before the request gets there")
  func closedBeforeOpened() async throws {
    let asked = await askAtPausedStore()
    try base.decide(.deny, [Atom("photos", "read"), Atom("photos", "add-only")])
    // The first change puts the request into the store, and the second closes it.
    let changes = await store.held(2)
    await changes[1].make()
    await changes[0].make()
    changes[1].end()
    _ = await base.waitForSlot { $0 == BoardPicture() }
    changes[0].end()
    store.resume()
    #expect(try await asked.value.status.reading == .denied)
    #expect(try base.store.waitingRequests().isEmpty)
    #expect(try base.journal(.all).first { $0.request != nil }?.text == "decided meanwhile")
  }
}
