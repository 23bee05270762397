import Foundation
import Machine
import PermModel
import Testing
import Waiting

@testable import PermBroker

@Suite("A coding agent asks", .timeLimit(.minutes(5)))
struct AgentClientTests {
  /// Asks what a recorded message asks, on a thread of its own.
  private func answer(
    _ test: TestBroker, _ name: String = "claude-bash", within patience: Duration = .seconds(60)
  ) async throws -> AgentClient.Answer? {
    let question = try #require(try AgentQuestion(try RecordedMessages.message(name)))
    let client = client(of: test)
    return await onThread { client.answer(to: question, within: patience) }
  }

  private func client(of test: TestBroker) -> AgentClient {
    // However busy the machine is, the broker is not taken for stopped.
    AgentClient(addresses: [test.address], output: -1, promptness: .seconds(240))
  }

  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: work()) }
    }
  }

  private func automatic(_ test: TestBroker) throws -> [String?] {
    test.broker.answers.write()
    return try test.store.journal(JournalFilter(kinds: [.automatic]), .newest(10)).map(\.text)
  }

  @Test("The alert shows the agent in its folder, the command and the reason; the answer comes back")
  func answered() async throws {
    try await withBroker { test in
      let folder = ProgramFolder(path: "/home/ana/proj", device: 1, inode: 10)
      test.work(in: folder)
      async let allowed = answer(test)
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.subject.label == "claude")
      #expect(alert.request.subject.folder == folder)
      let line = Atom("commands", "run", .command("touch x && echo yes"))
      #expect(alert.request.atoms == [line])
      #expect(alert.request.reason == "Make a file")
      test.presenter.answer(.allow)
      let first = try await allowed
      #expect(first == .allowed)
      async let denied = answer(test, "claude-web-fetch")
      _ = await test.presenter.nextRequest()
      test.presenter.answer(
        .answered(
          Answer(
            .deny, atoms: [Atom("network", "connect", .host(try Host("docs.swift.org"), port: 8443))],
            lifetime: .once, note: "not now")))
      let second = try await denied
      #expect(second == .denied("not now"))
    }
  }

  @Test("Without a dashboard, and on hold, it is left to the agent at once, without a trace")
  func nobodyThere() async throws {
    try await withBroker(hasDashboard: false) { test in
      let alone = try await answer(test)
      #expect(alone == nil)
      test.broker.keeper.attach(test.presenter, dashboard: "test")
      test.broker.keeper.hold(true, dashboard: "test")
      let onHold = try await answer(test)
      #expect(onHold == nil)
      let journal = try test.journal()
      #expect(journal.isEmpty)
      test.broker.keeper.hold(false, dashboard: "test")
      async let asked = answer(test)
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.allow)
      let reply = try await asked
      #expect(reply == .allowed)
    }
  }

  @Test("A dashboard that is not on hold suffices, and a dashboard that attaches again is not on hold")
  func severalDashboards() async throws {
    try await withBroker { test in
      let (first, second) = (TestPresenter(), TestPresenter())
      test.broker.keeper.attach(first, dashboard: "first")
      test.broker.keeper.hold(true, dashboard: "test")
      #expect(test.broker.keeper.isAttended)
      test.broker.keeper.hold(true, dashboard: "first")
      #expect(!test.broker.keeper.isAttended)
      test.broker.keeper.attach(second, dashboard: "first")
      #expect(test.broker.keeper.isAttended)
    }
  }

  @Test("An answer that was kept holds without a dashboard")
  func known() async throws {
    try await withBroker { test in
      test.work(in: ProgramFolder(path: "/home/ana/proj", device: 1, inode: 10))
      async let asked = answer(test, "claude-read")
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.allow, .forever)
      let reply = try await asked
      #expect(reply == .allowed)
      test.broker.keeper.detach(dashboard: "test")
      let again = try await answer(test, "claude-read")
      #expect(again == .allowed)
    }
  }

  private func answer(_ test: TestBroker, message: String) async throws -> AgentClient.Answer? {
    let question = try #require(try AgentQuestion(try HookMessage(Array(message.utf8))))
    let client = client(of: test)
    return await onThread { client.answer(to: question, within: .seconds(60)) }
  }

  @Test("A patch of Codex with relative paths is allowed once only, whatever was kept, and can be denied")
  func relativePatch() async throws {
    try await withBroker { test in
      test.work(in: ProgramFolder(path: "/home/ana/proj", device: 1, inode: 10))
      async let first = answer(test, "codex-patch-relative")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.covers.map(\.longest) == [.once])
      #expect(alert.covers.first?.limitReason == AllowLimit.unknownPlace)
      #expect(alert.request.atoms.count == 4)
      let subject = alert.request.subject
      test.presenter.answer(.allow)
      #expect(try await first == .allowed)
      try test.store.decide(
        Ruling(.allow, subject: subject, atoms: [Atom("files", "write")]), by: .commandLine)
      async let second = answer(test, "codex-patch-relative")
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.deny)
      #expect(try await second != .allowed)
      try test.store.decide(
        Ruling(.deny, subject: subject, atoms: [Atom("files", "write")]), by: .commandLine)
      #expect(try await answer(test, "codex-patch-relative") != .allowed)
    }
  }

  @Test("A tool that is denied by its name is denied, although it is asked about as a command")
  func deniedTool() async throws {
    try await withBroker { test in
      test.work(in: ProgramFolder(path: "/home/ana/proj", device: 1, inode: 10))
      let atom = Atom("tools", "use", .name("mcp__box__run"))
      try test.store.decide(Ruling(.deny, subject: .everyone, atoms: [atom]), by: .commandLine)
      let message = #"""
        {"hook_event_name":"PermissionRequest","tool_name":"mcp__box__run","tool_input":{"command":"ls"}}
        """#
      #expect(try await answer(test, message: message) == .deniedByRule(nil))
      async let other = answer(test, message: message.replacing("__run", with: "__ask"))
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms == [Atom("commands", "run", .command("ls"))])
      #expect(alert.covers.map(\.longest) == [.once])
      test.presenter.answer(.allow)
      #expect(try await other == .allowed)
    }
  }

  @Test("A line of Codex that means the same in every folder can be allowed until that Codex ends")
  func placelessLine() async throws {
    try await withBroker { test in
      test.work(in: ProgramFolder(path: "/home/ana/proj", device: 1, inode: 10))
      let message = #"""
        {"hook_event_name":"PermissionRequest","turn_id":"1","tool_name":"Bash",
        "tool_input":{"command":"sha256sum /etc/hostname"}}
        """#
      async let asked = answer(test, message: message)
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.covers.map(\.longest) == [.process])
      #expect(alert.covers.first?.limitReason == "Codex does not say in which folder it runs a line")
      test.presenter.answer(.allow, .process)
      #expect(try await asked == .allowed)
      #expect(try await answer(test, message: message) == .allowed)
      // In another folder, a relative word is another file.
      async let relative = answer(test, message: message.replacing("/etc/hostname", with: "hostname"))
      let next = try #require(await test.presenter.nextRequest())
      #expect(next.covers.map(\.longest) == [.once])
      test.presenter.answer(.deny)
      #expect(try await relative == .denied(nil))
    }
  }

  @Test("A line of Codex can be allowed for this once only, but denied for later")
  func codexLine() async throws {
    try await withBroker { test in
      test.work(in: ProgramFolder(path: "/home/ana/proj", device: 1, inode: 10))
      async let asked = answer(test, "codex-bash")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.facts.onceReason != nil)
      #expect(alert.covers.count == 1 && alert.covers.first?.longest == .once)
      test.presenter.answer(.deny, .forever)
      let first = try await asked
      #expect(first != nil && first != .allowed)
      test.broker.keeper.detach(dashboard: "test")
      let again = try await answer(test, "codex-bash")
      #expect(again != nil && again != .allowed)
    }
  }

  @Test("When the last dashboard closes, when time is up, or when the broker ends, the agent asks by itself")
  func left() async throws {
    try await withBroker { test in
      async let first = answer(test)
      _ = await test.presenter.nextRequest()
      test.broker.keeper.detach(dashboard: "test")
      let closed = try await first
      #expect(closed == nil)
      test.broker.keeper.attach(test.presenter, dashboard: "test")
      let late = try await answer(test, within: .milliseconds(50))
      #expect(late == nil)
      async let last = answer(test, "codex-bash")
      while await test.presenter.nextRequest()?.request.subject.label != "codex" {}
      await test.broker.stop()
      let ended = try await last
      #expect(ended == nil)
      let without = try await answer(test)
      #expect(without == nil)
    }
  }

  @Test("If the process that listens does not reply, the agent asks by itself")
  func stopped() async throws {
    let folder = try TemporaryFolder()
    let address = BrokerAddress(folder: folder.file("run"))
    let sockets = try ListeningSockets(lock: folder.file("lock"), candidates: [address])
    let client = AgentClient(addresses: [address], output: -1, promptness: .milliseconds(50))
    let question = try #require(try AgentQuestion(try RecordedMessages.message("claude-bash")))
    let end = await onThread { client.answer(to: question, within: .seconds(3600)) }
    #expect(end == nil)
    sockets.removeFiles()
  }

  @Test("When the agent closes its end, the request is withdrawn")
  func abandoned() async throws {
    try await withBroker { test in
      var ends: [Int32] = [0, 0]
      let made = pipe(&ends)
      try #require(made == 0)
      // A program of another test that inherited it would keep it open.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let client = AgentClient(addresses: [test.address], output: ends[1], promptness: .seconds(240))
      let question = try #require(try AgentQuestion(try RecordedMessages.message("claude-bash")))
      async let asked = onThread { client.answer(to: question, within: .seconds(60)) }
      _ = await test.presenter.nextRequest()
      close(ends[0])
      let end = await asked
      #expect(end == nil)
      _ = await test.presenter.nextWithdrawn()
      try await test.untilNothingWaits()
      #expect(try test.journal() == [.asked, .shown, .withdrawn])
      close(ends[1])
    }
  }

  @Test("A tool that was used withdraws its own request, and the end of the turn all of the session")
  func withdrawn() async throws {
    try await withBroker { test in
      let client = client(of: test)
      async let bash = answer(test)
      let capability = await test.presenter.nextRequest()?.request.capability
      #expect(capability == "commands")
      async let read = answer(test, "claude-read")
      try await until { try test.store.waitingRequests().count >= 2 }
      let (post, stop) = (
        try RecordedMessages.message("claude-post"), try RecordedMessages.message("claude-stop")
      )
      // A session of Codex ends nothing of Claude's.
      let other = try RecordedMessages.message("codex-stop")
      await onThread { client.withdraw(other) }
      let waiting = try test.store.waitingRequests().count
      #expect(waiting == 2)
      await onThread { client.withdraw(post) }
      let ofBash = try await bash
      #expect(ofBash == nil)
      let left = try test.store.waitingRequests().map(\.request.capability)
      #expect(left == ["files"])
      await onThread { client.withdraw(stop) }
      let ofRead = try await read
      #expect(ofRead == nil)
    }
  }

  @Test(
    "A question that was left to the agent is in the journal, with the reason",
    arguments: UnaskedReason.allCases)
  func noted(_ fault: UnaskedReason) async throws {
    try await withBroker { test in
      let client = client(of: test)
      await onThread { client.note(fault, label: "claude") }
      let reasons = try automatic(test)
      #expect(reasons == [fault.journalReason])
    }
  }

  @Test("A message that the broker cannot read for certain is left to the agent, and noted")
  func refused() async throws {
    try await withBroker { test in
      let path = String(repeating: "/a", count: 1_100)
      let patch = #"*** Add File: \#(path)/b\n*** Add File: \#(path)/c"#
      let input = #""turn_id":"1","tool_name":"apply_patch","tool_input":{"command":"\#(patch)"}"#
      let message = try HookMessage(Array(#"{"hook_event_name":"PermissionRequest",\#(input)}"#.utf8))
      let question = try #require(try AgentQuestion(message))
      let client = client(of: test)
      let end = await onThread { client.answer(to: question, within: .seconds(60)) }
      #expect(end == nil)
      let reasons = try automatic(test)
      #expect(reasons == [UnaskedReason.unclear.journalReason])
    }
  }
}
