import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("Programs behind walls ask at their socket", .timeLimit(.minutes(5)))
struct WalledAskTests {
  private func refusal(_ attempt: () async throws -> Void) async -> String? {
    do {
      try await attempt()
      return nil
    } catch { return "\(error)" }
  }

  private func reading(_ path: String) throws -> Methods.Request.Parameters {
    .init(capability: "files", values: [.init(part: "read", scope: try TestRun.value(path))], label: "backup")
  }

  @Test("Only the warden of a run can say that a connection comes from behind its walls")
  func otherProcess() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      test.seeWarden { $0.identity = ProcessIdentity(pid: 80, startTime: 800) }
      let real = await refusal { _ = try await run.enter() }
      let guessed = await refusal { _ = try await run.enter { $0.run = "guessed-0123456789" } }
      #expect(real == "this process supervises no such run")
      #expect(guessed == real)
    }
  }

  @Test("A program inside can neither claim another run nor call what the socket `control` is for")
  func claim() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      _ = try await TestRun(test, id: "second-run-0123456789")
      let client = try await run.enter()
      for id in [TestRun.id, "second-run-0123456789", "guessed-0123456789"] {
        #expect(
          await refusal { _ = try await client.call(Methods.Enter.self, TestRun.entering(id)) } != nil)
      }
      let ask = Methods.Ask.Parameters(
        run: TestRun.id, id: "0123456789abcdef", capability: "files",
        values: [.init(part: "read", scope: try TestRun.value("/a"))], name: "x", pid: 1, started: 1)
      #expect(await refusal { _ = try await client.call(Methods.Ask.self, ask) } != nil)
      #expect(await refusal { _ = try await client.call(Methods.Pending.self, .init()) } != nil)
      #expect(try await client.call(Methods.Status.self, .init(capability: "files")).state == .ask)
    }
  }

  @Test("A warden asks nothing in its own name, and so not in that of the shell that started it")
  func wardenItself() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let refused = await refusal {
        _ = try await test.client().call(Methods.Request.self, .init(capability: "deploy"))
      }
      #expect(refused?.contains("does not ask for itself") == true, "\(refused ?? "")")
      withExtendedLifetime(run) {}
    }
  }

  @Test("What is asked inside is asked for the subject of the run, whatever the program calls itself")
  func subject() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      test.see(nil)
      let client = try await run.enter()
      try await client.send(Methods.Request.self, try reading("/home/ana/a.txt"))
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.subject == run.subject)
      #expect(alert.request.evidence?.walled?.name == "permtui")
      #expect(alert.request.evidence?.process == TestRun.first)
      test.presenter.answer(.allow, .forever)
      #expect(try await client.end().state == .allowed)
      // The decision counts for what the program does, too.
      let question = try await run.ask("/home/ana/a.txt", part: "read")
      #expect(try await run.next() == (question, .allowed))
    }
  }

  @Test("A relative path lies in the folder that the warden names, and a folder of the run's own is refused")
  func paths() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let client = try await run.enter { $0.folder = "/usr" }
      var parameters = try reading("/a")
      parameters.values = [
        .init(
          part: "read",
          scope: try JSONDecoder().decode(
            ScopeFields.self, from: Data(#"{"path": "share/file"}"#.utf8)))
      ]
      try await client.send(Methods.Request.self, parameters)
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms == [Atom("files", "read", .path(try AbsolutePath("/usr/share/file")))])
      test.presenter.answer(.deny)
      #expect(try await client.end().state == .denied)
      let refused = await refusal {
        _ = try await client.call(Methods.Request.self, try reading("/tmp/a"))
      }
      #expect(refused?.contains("/tmp is the run's own") == true)
    }
  }

  @Test("When the run has ended, its connections can ask nothing more, and what waits is withdrawn")
  func ended() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let (waiting, other) = (try await run.enter(), try await run.enter())
      try await waiting.send(Methods.Request.self, try reading("/home/ana/a.txt"))
      _ = await test.presenter.next()
      await run.end()
      try await eventually {
        await refusal { _ = try await other.call(Methods.Status.self, .init(capability: "files")) } != nil
      }
      await waiting.disconnect()
      _ = await test.presenter.nextWithdrawn()
    }
  }

  private func eventually(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { await Task.yield() }
  }

  @Test("Requests that are made inside count towards the program's limits, unlike uses that wait")
  func flood() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      var refused: [String] = []
      var clients: [TestClient] = []
      for number in 0..<7 {
        let client = try await run.enter()
        try await client.send(Methods.Request.self, try reading("/home/ana/\(number)"))
        do { _ = try await client.next(of: Methods.Request.self) } catch { refused.append("\(error)") }
        clients.append(client)
      }
      #expect(refused.count == 2)
    }
  }

  @Test("A message of more than 64 KiB is refused, and ends the connection")
  func tooLong() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let client = try await run.enter()
      try await client.sendRaw(Data(repeating: UInt8(ascii: "x"), count: 64 * 1024 + 1))
      let reply = await refusal { _ = try await client.next(of: Methods.Status.self) }
      #expect(reply?.contains("64") == true || reply?.contains("long") == true)
      #expect(
        await refusal { _ = try await client.call(Methods.Status.self, .init(capability: "files")) } != nil)
    }
  }

  @Test("The program is not asked on its own terminal")
  func terminal() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      let client = try await run.enter()
      let refused = await refusal {
        _ = try await client.call(Methods.AskHere.self, .init(id: "0123456789abcdef", asks: true))
      }
      #expect(refused?.contains("behind walls") == true)
    }
  }

  // MARK: Lines of an agent

  /// Gives a test a run of an agent that `permtui connect` has recorded.
  private func withAgent(_ body: (TestBroker, TestRun) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.file("store.sqlite"), environment: .linux(sessionFolder: nil))
    let file = try folder.write("#!/bin/sh\n", to: "claude-2.1.sh")
    let link = folder.file("claude")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    try KnownLinks.set(link, isKnown: true, inFolder: folder.path)
    let test = try TestBroker(store: store)
    do {
      let run = try await TestRun(test) { ($0.program, $0.folder) = (link, folder.path) }
      #expect(run.subject.label == "claude")
      try await body(test, run)
    } catch {
      await test.broker.stop()
      throw error
    }
    await test.broker.stop()
  }

  private func line(_ text: String) throws -> Methods.Request.Parameters {
    .init(
      capability: "commands", values: [try .checked("run", .command(text))], label: "claude", inFolder: true,
      patient: true, attended: true)
  }

  @Test("A hook is told that a line is allowed, which is in the journal as behind walls")
  func allowed() async throws {
    try await withAgent { test, run in
      let client = try await run.enter()
      let reply = try await client.call(Methods.Request.self, try line("make && ./deploy.sh | tee log"))
      #expect(reply.state == .allowed)
      test.broker.answers.write()
      let entry = try #require(try test.store.journal(.all, .newest(1)).first)
      #expect((entry.kind, entry.text, entry.verdict) == (.automatic, "behind walls", .allow))
      #expect(entry.subject == run.subject)
      #expect(try test.store.decisions().isEmpty)
    }
  }

  @Test(
    "A line is asked about if the walls do not hold what it does, with the reason",
    arguments: [
      ("make", "socket", "use a socket"), ("make", "native", "folder of this machine"),
      ("make", "outside", "cannot be told"), ("tmux send-keys x", "", "each time"),
      ("permtui answer", "", "each time"),
    ])
  func asked(_ text: String, _ condition: String, _ reason: String) async throws {
    try await withAgent { test, run in
      let client = try await run.enter {
        $0.opening = .init(rawValue: condition)
        $0.belowProgram = condition != "outside"
      }
      try await client.send(Methods.Request.self, try line(text))
      let alert = try #require(await test.presenter.nextRequest())
      let facts = RequestFacts(alert, choice: 0, visible: { $0 }, quoted: { $0 }, moment: nil, exact: nil)
      #expect(facts.all.contains { $0.heading == "Walls" && $0.text.contains(reason) })
      test.presenter.answer(.deny)
      #expect(try await client.end().state == .denied)
    }
  }

  @Test("A denied command is denied, and a line that may contain one is asked about")
  func deniedCommand() async throws {
    try await withAgent { test, run in
      let push = Atom("commands", "run", .start(try #require(CommandStart("git push"))))
      try test.store.decide(Ruling(.deny, subject: .everyone, atoms: [push]), by: .commandLine)
      let client = try await run.enter()
      #expect(try await client.call(Methods.Request.self, try line("git push origin main")).state == .denied)
      let other = try await run.enter()
      try await other.send(Methods.Request.self, try line("$RUN push"))
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.evidence?.walled?.remark?.contains("git push") == true)
      test.presenter.answer(.allow)
      #expect(try await other.end().state == .allowed)
    }
  }

  @Test("While a decision allows a socket of this machine to the agent, lines are asked about")
  func allowedSocket() async throws {
    try await withAgent { test, run in
      let socket = test.address.path(of: .ask)
      let atom = Atom("files", "write", .path(try AbsolutePath(socket)))
      try test.store.decide(Ruling(.allow, subject: run.subject, atoms: [atom]), by: .commandLine)
      let client = try await run.enter()
      try await client.send(Methods.Request.self, try line("make"))
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.evidence?.walled?.remark?.contains("socket of this machine") == true)
      test.presenter.answer(.deny)
      #expect(try await client.end().state == .denied)
    }
  }

  @Test("A program that only says that it is an agent is asked about its lines, however often it asks")
  func noAgent() async throws {
    try await withBroker { test in
      let run = try await TestRun(test)
      for _ in 0..<2 {
        let client = try await run.enter()
        try await client.send(Methods.Request.self, try line("make"))
        _ = try #require(await test.presenter.nextRequest())
        test.presenter.answer(.deny)
        #expect(try await client.end().state == .denied)
      }
    }
  }

  @Test("During a panic, a line is denied")
  func panic() async throws {
    try await withAgent { test, run in
      _ = try test.store.setSuspended(true, by: .commandLine)
      let client = try await run.enter()
      #expect(try await client.call(Methods.Request.self, try line("make")).state == .denied)
    }
  }
}
