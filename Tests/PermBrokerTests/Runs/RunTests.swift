import PermModel
import Testing

@testable import PermBroker

@Suite("A run behind walls asks", .timeLimit(.minutes(5)))
struct RunTests {
  @Test("The alert names the process that asks, as the warden saw it, and says that it waits")
  func alert() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      #expect(run.subject.label == "tool.sh")
      #expect(run.subject.path == test.folder.file("tool.sh"))
      let question = try await run.ask("/home/ana/a.txt")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.subject == run.subject)
      #expect(alert.request.evidence?.process == TestRun.first)
      let facts = RequestFacts(alert, choice: 0, visible: { $0 }, quoted: { $0 }, moment: nil, exact: nil)
      #expect(
        facts.all.contains {
          $0.line == "Waits: this thread of deno, pid 4711, stands still until you answer"
        })
      #expect(LifetimeChoice.process.words(of: alert.request.evidence, nil) == "until the run ends")
      #expect(
        facts.all.contains {
          $0.heading == "Seen" && $0.text.hasSuffix("pid \(TestRun.first.pid), behind walls")
        })
      test.presenter.answer(.allow)
      #expect(try await run.next() == (question, .allowed))
      #expect(try test.store.decisions().isEmpty)
    }
  }

  @Test("A kept answer is a decision about the program, and answers the next question without an alert")
  func kept() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let first = try await run.ask("/home/ana/a.txt")
      _ = await test.presenter.next()
      test.presenter.answer(.allow, .forever)
      #expect(try await run.next() == (first, .allowed))
      #expect(try test.store.decisions().map(\.subject) == [run.subject])
      let second = try await run.ask("/home/ana/a.txt", part: "read")
      #expect(try await run.next() == (second, .allowed))
    }
  }

  @Test("The program outside is the same one as inside")
  func outside() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let question = try await run.ask("/home/ana/a.txt", part: "read")
      _ = await test.presenter.next()
      test.presenter.answer(.allow, .forever)
      #expect(try await run.next() == (question, .allowed))
      let file = try #require(run.subject.file)
      let path = test.folder.file("tool.sh")
      var program = TestBroker.program(path)
      program.file = SeenFile(path: path, identity: file)
      #expect(program.subject(label: nil) == run.subject)
    }
  }

  @Test("A kept no and a panic need no alert, and a panic's no is not the person's")
  func denied() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let first = try await run.ask("/home/ana/a.txt")
      _ = await test.presenter.next()
      test.presenter.answer(.deny, .forever)
      #expect(try await run.next() == (first, .denied))
      let second = try await run.ask("/home/ana/a.txt")
      #expect(try await run.next() == (second, .denied))
      _ = try test.store.setSuspended(true, by: .commandLine)
      let third = try await run.ask("/home/ana/b.txt")
      #expect(try await run.next() == (third, .withdrawn))
    }
  }

  @Test("The machine's policy denies without an alert, also what waits")
  func policy() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let first = try await run.ask("/home/ana/a.txt")
      _ = await test.presenter.next()
      let policy = MachinePolicy([.init(capability: "files")])
      test.broker.use(BrokerSettings(catalogue: TestBroker.catalogue, policy: policy))
      #expect(try await run.next() == (first, .denied))
      let second = try await run.ask("/home/ana/b.txt")
      #expect(try await run.next() == (second, .denied))
    }
  }

  @Test("A program whose request waits can start a run, which asks and changes nothing")
  func startedByAsker() async throws {
    try await withBroker { test in
      let asking = try test.client()
      try await asking.send(Methods.Request.self, .init(capability: "deploy", label: "backup"))
      _ = try await asking.next(of: Methods.Request.self)
      _ = await test.presenter.next()
      let asker = TestBroker.program("/home/ana/bin/backup.sh").evidence.process
      test.seeAtControl(ControlCaller(lineage: [.init(identity: asker)]))
      await #expect(throws: BrokerError.self) {
        try await test.client(.control).call(Methods.Panic.self, .init(lift: true))
      }
      let run = try await TestRun(test)
      let question = try await run.ask("/home/ana/a.txt")
      test.presenter.answer(.deny)
      #expect(try await asking.end().state == .denied)
      _ = await test.presenter.next()
      test.presenter.answer(.allow)
      #expect(try await run.next() == (question, .allowed))
    }
  }

  @Test("A panic ends what waits")
  func panic() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let question = try await run.ask("/home/ana/a.txt")
      _ = await test.presenter.next()
      _ = try await test.client(.control).call(Methods.Panic.self, .init())
      #expect(try await run.next() == (question, .withdrawn))
    }
  }

  @Test("A panic that ends runs tells each warden, and begins the panic")
  func endRuns() async throws {
    try await withBroker { test in
      let runs = [try await TestRun(test), try await TestRun(test, id: "second-run-0123456789")]
      let reply = try await test.client(.control).call(Methods.Panic.self, .init(end: true))
      #expect(reply == .init(changed: true, ended: 2))
      for run in runs { #expect(try await run.isToEnd()) }
      #expect(try test.store.suspension() != nil)
    }
  }

  @Test("After a mute, questions are denied without an alert")
  func muted() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let first = try await run.ask("/home/ana/a.txt")
      let alert = try #require(await test.presenter.nextRequest())
      let answer = Answer(.deny, atoms: alert.choices[0].atoms, mutes: true)
      test.presenter.answer(.answered(answer))
      #expect(try await run.next() == (first, .denied))
      let second = try await run.ask("/home/ana/b.txt")
      #expect(try await run.next() == (second, .denied))
    }
  }

  @Test("The broker looks at no process of the run, even when it is answered")
  func noLook() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      test.see(nil)
      let question = try await run.ask("/home/ana/a.txt")
      _ = await test.presenter.next()
      test.presenter.answer(.allow)
      #expect(try await run.next() == (question, .allowed))
      let other = try await run.ask("/home/ana/b.txt")
      _ = await test.presenter.next()
      try await test.answer(other, .init(verdict: .allow))
      #expect(try await run.next() == (other, .allowed))
    }
  }

  @Test("An unasked question goes away, and its alert with it")
  func unasked() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let question = try await run.ask("/home/ana/a.txt")
      _ = await test.presenter.next()
      try await run.unask(question)
      #expect(await test.presenter.nextWithdrawn().id.text == question)
      try await test.untilNothingWaits()
      // Unasking again is no error: the answer can have been on its way.
      try await run.unask(question)
    }
  }

  @Test("All questions of a run are withdrawn with its warden, and those of others stay")
  func lost() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let other = try await TestRun(test, id: "other-run-0123456789") { $0.label = "other" }
      for name in ["a", "b", "c"] { _ = try await run.ask("/home/ana/\(name)") }
      let staying = try await other.ask("/home/ana/d")
      try await test.untilWaiting(4)
      await run.end()
      try await test.untilWaiting(1)
      #expect(try test.store.waitingRequests().map(\.id.text) == [staying])
      await #expect(throws: BrokerError.self) { try await run.ask("/home/ana/e") }
    }
  }

  @Test("64 questions can wait at once, whatever the limits of requests, and no more")
  func flood() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      var questions: [String] = []
      for number in 0..<Runs.mostQuestions { questions.append(try await run.ask("/home/ana/\(number)")) }
      try await test.untilWaiting(64)
      let error = await #expect(throws: BrokerError.self) { try await run.ask("/home/ana/more") }
      #expect(error == .tooMuch(reason: "64 questions of this run wait already"))
      try await run.unask(questions[63])
      try await test.untilWaiting(63)
      _ = try await run.ask("/home/ana/more")
      try await test.untilWaiting(64)
    }
  }

  @Test("Two runs of a program that want the same share an alert")
  func joined() async throws {
    try await withBroker { test in
      let one = try await TestRun(test)
      let two = try await TestRun(test, id: "second-run-0123456789")
      let blocker = try await one.ask("/home/ana/first")
      _ = await test.presenter.next()
      let first = try await one.ask("/home/ana/a.txt")
      let second = try await two.ask("/home/ana/a.txt")
      try await test.untilWaiting(3)
      test.presenter.answer(.deny)
      #expect(try await one.next() == (blocker, .denied))
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.joined.count == 1)
      test.presenter.answer(.allow)
      #expect(try await one.next() == (first, .allowed))
      #expect(try await two.next() == (second, .allowed))
    }
  }

  @Test("The next broker is asked again under the same id, and answers")
  func nextBroker() async throws {
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    let first = try TestBroker(store: store)
    let run = try await TestRun(first)
    let question = try await run.ask("/home/ana/a.txt")
    let asked = try #require(await first.presenter.nextRequest()).request.askedAt
    await first.broker.stop()
    #expect(try store.waitingRequests().map(\.id.text) == [question])
    let second = try TestBroker(store: store)
    let again = try await TestRun(second) { $0.program = first.folder.file("tool.sh") }
    _ = try await again.ask("/home/ana/a.txt", id: question)
    let alert = try #require(await second.presenter.nextRequest())
    #expect(alert.request.askedAt == asked)
    second.presenter.answer(.allow)
    #expect(try await again.next() == (question, .allowed))
    await second.broker.stop()
  }
}

extension TestBroker {
  /// Waits until this many requests are in the store.
  func untilWaiting(_ count: Int) async throws {
    for try await _ in try store.changes(since: 0) where try store.waitingRequests().count == count { break }
  }
}
