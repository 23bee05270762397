import Operations
import PermModel
import Testing

@testable import PermBroker

@Suite("A program asks through the broker, from its own code", .timeLimit(.minutes(5)))
struct BrokerAnswererTests {
  private let staging = Deploy(requirement: AtomRequirement(atoms: [Atom("deploy", "staging")]))

  /// Returns the authorizer of a program that the broker sees as the test's sight defines.
  private func authorizer(_ test: TestBroker) -> Authorizer {
    let seen = TestBroker.program("/home/ana/bin/backup.sh")
    var authorizer = Authorizer(
      subject: seen.subject(label: "backup"),
      answerer: BrokerAnswerer(
        addresses: [test.address],
        store: OfflineStore(environment: test.store.environment) { test.store }))
    authorizer.evidence = seen.evidence
    return authorizer
  }

  private func add(_ condition: any OperationCondition) -> OperationHandle<String> {
    OperationQueue(name: "test", exclusion: ExclusionScheduler())
      .add("deploy", conditions: [condition]) { _ in "deployed" }
  }

  @Test("The question comes up on the dashboard, and the answer lets the operation run")
  func asks() async throws {
    try await withBroker { test in
      let condition = AuthorizedFor(
        staging, authorizer: authorizer(test), reason: "a release")
      let handle = add(condition)
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.subject.path == "/home/ana/bin/backup.sh")
      #expect(alert.request.reason == "a release")
      test.presenter.answer(.allow, .once)
      #expect(try await handle.value == "deployed")
      #expect(try test.store.decisions().isEmpty)
    }
  }

  @Test("A no is an error of the operation, with status and requirement")
  func denied() async throws {
    try await withBroker { test in
      let handle = add(AuthorizedFor(staging, authorizer: authorizer(test)))
      _ = await test.presenter.next()
      test.presenter.answer(.deny, .forever)
      let failure = await #expect(throws: ConditionsFailed.self) { try await handle.value }
      let error = failure?.first(AuthorizationError<Deploy.Status>.self)
      guard case .notGranted(_, staging.requirement)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test("A decided part is known without an alert, and each use is noted")
  func known() async throws {
    try await withBroker { test in
      let authorizer = authorizer(test)
      try test.store.decide(
        Ruling(.allow, subject: authorizer.subject, atoms: staging.requirement.atoms), by: .commandLine)
      #expect(try await add(AuthorizedFor(staging, authorizer: authorizer)).value == "deployed")
      test.broker.answers.write()
      #expect(try test.journal() == [.decided, .automatic])
      #expect(try test.store.decisions().first?.lastUsed != nil)
    }
  }

  @Test("A capability that is not available to the broker is an error that says why")
  func unavailable() async throws {
    try await withBroker { test in
      let there = Somewhere(requirement: AtomRequirement(atoms: [Atom("teleport")]))
      let asked = Task { try await authorizer(test).authorize(there) }
      let error = await #expect(throws: UnavailableToBroker.self) { try await asked.value }
      #expect(error?.explanation.contains("there is no teleporter") == true)
    }
  }

  /// The same as ``Missing``, for a machine that has it.
  private struct Somewhere: CapabilityType {
    var definition: CapabilityDefinition { Missing.definition }
    var requirement: AtomRequirement
  }

  @Test("A status is followed through the broker: changes by anyone")
  func follows() async throws {
    try await withBroker { test in
      let authorizer = authorizer(test)
      var updates = authorizer.statusUpdates(of: staging).makeAsyncIterator()
      #expect(await updates.next()?.status.meets(staging.requirement) == false)
      try test.store.decide(
        Ruling(.allow, subject: authorizer.subject, atoms: staging.requirement.atoms), by: .commandLine)
      #expect(await updates.next()?.status.meets(staging.requirement) == true)
      try test.store.setSuspended(true, by: .commandLine)
      #expect(await updates.next()?.status.meets(staging.requirement) == false)
    }
  }

  @Test("Cancelling takes the alert off the dashboard")
  func cancel() async throws {
    try await withBroker { test in
      let handle = add(AuthorizedFor(staging, authorizer: authorizer(test)))
      _ = await test.presenter.next()
      handle.cancel()
      _ = await test.presenter.nextWithdrawn()
      await #expect(throws: CancellationError.self) { try await handle.value }
      var changes = try test.store.changes(since: 0).makeAsyncIterator()
      while try await changes.next()?.entries.contains(where: { $0.kind == .withdrawn }) == false {}
      #expect(try test.store.waitingRequests().isEmpty)
    }
  }

  @Test("Without a broker decisions still count, and a request waits in the store for an answer there")
  func withoutBroker() async throws {
    let test = try TestBroker()
    await test.broker.stop()
    let authorizer = authorizer(test)
    try test.store.decide(
      Ruling(.allow, subject: authorizer.subject, atoms: staging.requirement.atoms), by: .commandLine)
    #expect(try await add(AuthorizedFor(staging, authorizer: authorizer)).value == "deployed")
    let production = Deploy(requirement: AtomRequirement(atoms: [Atom("deploy", "production")]))
    let asked = Task { try await authorizer.authorize(production) }
    let id = try await waitingRequest(in: test.store)
    let answer = Answer(.deny, atoms: production.requirement.atoms)
    try test.store.answer(id, answer, by: .commandLine)
    #expect(try await asked.value.end.answer != nil)
  }

  @Test("Without a broker, a link does not lead past a denial either")
  func linkWithoutBroker() async throws {
    let test = try TestBroker()
    await test.broker.stop()
    let place = try PathPlace()
    try place.folder("secret")
    try place.file("secret/key")
    try place.link("way", to: "secret")
    let authorizer = authorizer(test)
    for (verdict, folder) in [(Verdict.allow, place.path), (.deny, "\(place.path)/secret")] {
      let atom = Atom("files", "read", .folder(try AbsolutePath(folder)))
      try test.store.decide(
        Ruling(verdict, subject: authorizer.subject, atoms: [atom]), by: .commandLine)
    }
    let files = try #require(CapabilityCatalogue.builtIn["files"])
    for name in ["secret/key", "way/key"] {
      let handle = add(files.authorized(for: [place.read(name)], by: authorizer))
      await #expect(throws: ConditionsFailed.self) { try await handle.value }
    }
    #expect(try test.store.waitingRequests().isEmpty)
  }

  @Test("The broker says whether an answer was kept", arguments: [LifetimeChoice.once, .forever])
  func kept(lifetime: LifetimeChoice) async throws {
    try await withBroker { test in
      let asked = Task { try await authorizer(test).authorize(staging) }
      _ = await test.presenter.next()
      test.presenter.answer(.allow, lifetime)
      let answer = try await asked.value.end.answer
      #expect(answer?.isKept == (lifetime == .forever))
    }
  }

  @Test("A request that waits in the store comes up on the next dashboard, under the same id")
  func brokerComes() async throws {
    let test = try TestBroker()
    await test.broker.stop()
    let asked = Task { [authorizer = authorizer(test)] in try await authorizer.authorize(staging) }
    let id = try await waitingRequest(in: test.store)
    let next = Broker(test.broker.configuration)
    next.keeper.attach(test.presenter, dashboard: "next")
    try next.serve(ListeningSockets(lock: test.folder.file("lock"), candidates: [test.address]))
    #expect(await test.presenter.nextRequest()?.request.id == id)
    test.presenter.answer(.allow)
    #expect(try await asked.value.status.meets(staging.requirement))
    await next.stop()
  }

  @Test("Patience counts without a broker too")
  func gaveUp() async throws {
    let test = try TestBroker()
    await test.broker.stop()
    #expect(
      try await authorizer(test).authorize(staging, patience: .milliseconds(1)).end == .asked(.timedOut))
    #expect(try test.journal() == [.asked, .timedOut])
  }

  private func waitingRequest(in store: any PermissionStore) async throws -> Request.ID {
    for try await change in try store.changes(since: 0) {
      if let id = change.entries.first(where: { $0.kind == .asked })?.request { return id }
    }
    throw CancellationError()
  }
}
