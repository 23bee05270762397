import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("A program behind walls asks by itself", .timeLimit(.minutes(5)))
struct RunGuestTests {
  private typealias Ask = Methods.Request

  /// A run whose warden is this process.
  private func run(_ test: TestBroker) async throws -> TestRun {
    test.seeWarden { $0.identity = ProcessIdentity(pid: getpid(), startTime: 700) }
    // The broker must look at no process of a run.
    test.see(nil)
    return try await TestRun(test)
  }

  private func hook(_ line: String, _ change: (inout Ask.Parameters) -> Void = { _ in }) -> Ask.Parameters {
    var parameters = Ask.Parameters(
      capability: "commands", values: [.init(part: "run", scope: ScopeFields(.command(line)))], inFolder: true
    )
    change(&parameters)
    return parameters
  }

  @Test("It asks in the name of the run, whatever it calls itself, and the alert names the process")
  func name() async throws {
    try await withBroker { test in
      let run = try await run(test)
      let client = try await run.guest()
      async let reply = client.call(Ask.self, .init(capability: "deploy", label: "backup"))
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.subject == run.subject)
      #expect(alert.request.evidence?.walled?.name == "claude")
      test.presenter.answer(.allow)
      #expect(try await reply.state == .allowed)
    }
  }

  @Test("A relative path leads from the folder in which the process works")
  func relative() async throws {
    try await withBroker { test in
      let run = try await run(test)
      let below = test.folder.file("below")
      try FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: true)
      let client = try await run.guest { $0.folder = below }
      let fields = try JSONDecoder().decode(ScopeFields.self, from: Data(#"{"path": "../notes"}"#.utf8))
      async let reply = client.call(
        Ask.self, .init(capability: "files", values: [.init(part: "read", scope: fields)]))
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms.map(\.scope.text) == [test.folder.file("notes")])
      test.presenter.answer(.deny)
      #expect(try await reply.state == .denied)
    }
  }

  @Test("A hook's command is allowed without an alert, and the journal says why")
  func hook() async throws {
    try await withBroker { test in
      let run = try await run(test)
      let reply = try await run.guest().call(Ask.self, hook("make all"))
      #expect(reply.state == .allowed)
      test.broker.answers.write()
      let entry = try #require(try test.store.journal(.all, .newest(1)).first)
      #expect(entry.text == "behind walls")
      #expect(entry.subject?.folder?.path == test.folder.path)
    }
  }

  @Test(
    "Denied lines, lines that are asked about each time, and requests that no hook makes are asked about",
    arguments: ["sh -c 'cd x && git push'", "tmux send-keys make", "make"])
  func asked(_ line: String) async throws {
    try await withBroker { test in
      let run = try await run(test)
      let denied = Atom("commands", "run", .start(try #require(CommandStart("git"))))
      try test.store.decide(Ruling(.deny, subject: run.subject, atoms: [denied]), by: .commandLine)
      let client = try await run.guest()
      try await client.send(Ask.self, hook(line) { if line == "make" { $0.inFolder = nil } })
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.deny)
      #expect(try await client.end().state == .denied)
    }
  }

  @Test("A denied command is denied behind walls, too")
  func denied() async throws {
    try await withBroker { test in
      let run = try await run(test)
      let denied = Atom("commands", "run", .start(try #require(CommandStart("git"))))
      let client = try await run.guest()
      var subject = run.subject
      subject.folder = ProgramFolder(at: test.folder.path)
      try test.store.decide(Ruling(.deny, subject: subject, atoms: [denied]), by: .commandLine)
      #expect(try await client.call(Ask.self, hook("git push")).state == .denied)
      _ = try test.store.setSuspended(true, by: .commandLine)
      #expect(try await client.call(Ask.self, hook("make")).state == .denied)
    }
  }

  @Test("Once the run has reached a socket of the host, or may reach one, its hooks are asked as outside")
  func left() async throws {
    try await withBroker { test in
      let run = try await run(test)
      let first = try await run.guest { $0.left = true }
      try await first.send(Ask.self, hook("make"))
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.deny)
      #expect(try await first.end().state == .denied)
      // It stays so for this run.
      let second = try await run.guest()
      try await second.send(Ask.self, hook("make again"))
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.evidence?.walled?.hasLeft == true)
      test.presenter.answer(.deny)
      #expect(try await second.end().state == .denied)
    }
    try await withBroker { test in
      let run = try await run(test)
      let socket = Atom("files", "write", .path(try AbsolutePath(test.address.path(of: .control))))
      var subject = run.subject
      subject.folder = ProgramFolder(at: test.folder.path)
      try test.store.decide(Ruling(.allow, subject: subject, atoms: [socket]), by: .commandLine)
      let client = try await run.guest()
      try await client.send(Ask.self, hook("make"))
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.deny)
      #expect(try await client.end().state == .denied)
    }
  }

  @Test("Facts about a run that its warden sends with a question count for hooks as well, and are shown")
  func leftWithQuestion() async throws {
    try await withBroker { test in
      let run = try await run(test)
      let question = try await run.ask("/home/ana/a.txt") { $0.left = true }
      let alert = try #require(await test.presenter.nextRequest())
      #expect(Self.runLine(of: alert)?.contains("it has reached a socket of this machine") == true)
      test.presenter.answer(.deny)
      #expect(try await run.next() == (question, .denied))
      let client = try await run.guest()
      try await client.send(Ask.self, hook("make"))
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.deny)
      #expect(try await client.end().state == .denied)
    }
  }

  private static func runLine(of alert: RequestAlert) -> String? {
    let facts = RequestFacts(
      alert, choice: 0, visible: { $0 }, quoted: { $0 }, moment: nil, exact: nil, run: RunKnowledge())
    return facts.all.first { $0.heading == "Run" }?.text
  }

  @Test("The hooks of a run that uses a folder as it is outside are asked as outside, and the alert says so")
  func native() async throws {
    try await withBroker { test in
      test.seeWarden { $0.identity = ProcessIdentity(pid: getpid(), startTime: 700) }
      test.see(nil)
      let run = try await TestRun(test) { $0.native = true }
      let client = try await run.guest()
      try await client.send(Ask.self, hook("make"))
      let alert = try #require(await test.presenter.nextRequest())
      #expect(Self.runLine(of: alert)?.contains("it uses a folder as it is outside") == true)
      test.presenter.answer(.deny)
      #expect(try await client.end().state == .denied)
    }
  }

  @Test(
    "A decision that was made before the program was known as an agent counts, and so does one for everyone")
  func earlier() async throws {
    for subject in [Subject?.none, .everyone] {
      try await withBroker { test in
        let run = try await run(test)
        let socket = Atom("files", "write", .path(try AbsolutePath(test.address.path(of: .control))))
        try test.store.decide(
          Ruling(.allow, subject: subject ?? run.subject, atoms: [socket]), by: .commandLine)
        let client = try await run.guest()
        try await client.send(Ask.self, hook("make"))
        _ = await test.presenter.nextRequest()
        test.presenter.answer(.deny)
        #expect(try await client.end().state == .denied)
      }
    }
    try await withBroker { test in
      let run = try await run(test)
      let denied = Atom("commands", "run", .start(try #require(CommandStart("git"))))
      try test.store.decide(Ruling(.deny, subject: run.subject, atoms: [denied]), by: .commandLine)
      let client = try await run.guest()
      try await client.send(Ask.self, hook("git push"))
      #expect(try await client.end().state != .allowed)
    }
  }

  @Test("A shell in which an agent was started does not become an agent")
  func shell() async throws {
    try await withBroker { test in
      test.seeWarden { $0.identity = ProcessIdentity(pid: getpid(), startTime: 700) }
      test.see(nil)
      let run = try await TestRun(test) { ($0.program, $0.arguments) = ("/bin/sh", ["sh"]) }
      #expect(try await run.guest().call(Ask.self, hook("make")).state == .allowed)
      test.broker.answers.write()
      let entry = try #require(try test.store.journal(.all, .newest(1)).first)
      #expect(entry.subject?.folder == nil)
    }
  }

  @Test("Of a run that makes ever more connections, the newest are known")
  func many() throws {
    let (runs, warden) = (Runs(), ProcessIdentity(pid: 70, startTime: 700))
    let seen = TestBroker.program("/bin/tool")
    try runs.begin("one", Runs.Run(warden, seen, as: seen.subject(label: nil)) { _ in })
    let guest = RunGuest(process: WalledProcess(name: "claude", process: warden), folder: "/")
    for socket in 1...UInt32(1_025) { runs.enter(socket, guest, in: "one") }
    func isKnown(_ socket: UInt32) -> Bool {
      if case .inside = runs.place(of: Peer(pid: 70, user: 0, socket: socket)) { true } else { false }
    }
    #expect(!isKnown(1))
    #expect(isKnown(2))
    #expect(isKnown(1_025))
  }

  @Test("It can neither answer on a terminal of its own, nor ask for another program")
  func ownAnswers() async throws {
    try await withBroker(hasDashboard: false) { test in
      let run = try await run(test)
      let client = try await run.guest()
      try await client.send(Ask.self, .init(id: "0123456789abcdef", capability: "deploy"))
      _ = try await client.next(of: Ask.self)
      let other = try await run.guest()
      await #expect(throws: BrokerError.self) {
        try await other.call(Methods.AskHere.self, .init(id: "0123456789abcdef", asks: true))
      }
      await #expect(throws: BrokerError.self) {
        try await other.call(Methods.AnswerHere.self, .init(id: "0123456789abcdef", verdict: .allow))
      }
      await #expect(throws: BrokerError.self) {
        try await other.call(
          Methods.RequestFor.self, .init(program: "app:org.example.Cam", capability: "deploy")
        )
      }
      #expect(try test.store.decisions().isEmpty)
    }
  }

  @Test("A connection about which the warden says nothing, or of a run that has ended, can ask nothing")
  func stranger() async throws {
    try await withBroker { test in
      let run = try await run(test)
      let silent = try await run.guest(nil)
      await #expect(throws: BrokerError.self) {
        try await silent.call(Ask.self, .init(capability: "deploy"))
      }
      let client = try await run.guest()
      try await client.send(Ask.self, .init(capability: "deploy"))
      _ = await test.presenter.nextRequest()
      await run.end()
      try await test.untilNothingWaits()
    }
  }

  @Test("Another process, a socket that is none and a folder that leads nowhere are refused")
  func refused() async throws {
    try await withBroker { test in
      let run = try await run(test)
      await #expect(throws: BrokerError.self) { try await run.guest { $0.socket = 0 } }
      await #expect(throws: BrokerError.self) { try await run.guest { $0.socket = 1 << 40 } }
      await #expect(throws: BrokerError.self) { try await run.guest { $0.folder = "below" } }
      await #expect(throws: BrokerError.self) { try await run.guest { $0.name = "" } }
      await #expect(throws: BrokerError.self) { try await run.guest { $0.run = "another-0123456789" } }
    }
  }
}
