import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("An agent asks in its folder", .timeLimit(.minutes(5)))
struct AgentAskingTests {
  private typealias Ask = Methods.Request

  private let app = ProgramFolder(path: "/home/ana/src/app", device: 1, inode: 10)
  private let other = ProgramFolder(path: "/home/ana/src/other", device: 1, inode: 11)

  @Test("An answer that is kept holds in the folder, and nowhere else")
  func holdsThere() async throws {
    try await withBroker { test in
      test.work(in: app)
      async let first = test.client().call(
        Ask.self, .init(capability: "deploy", label: "claude", inFolder: true))
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.subject.folder == app)
      test.presenter.answer(.allow, .forever)
      #expect(try await first.state == .allowed)
      let again = try await test.client().call(
        Ask.self, .init(capability: "deploy", label: "claude", inFolder: true))
      #expect(again.state == .allowed)
      test.see(TestBroker.program("/home/ana/bin/other.sh"))
      async let outside = test.client().call(Ask.self, .init(capability: "deploy", label: "claude"))
      #expect(await test.presenter.nextRequest()?.request.subject.folder == nil)
      test.presenter.answer(.deny)
      #expect(try await outside.state == .denied)
    }
  }

  @Test("A process that goes elsewhere keeps the folder in which it was first seen asking")
  func remembered() async throws {
    try await withBroker { test in
      test.work(in: app)
      _ = try await test.client().call(Methods.Status.self, .init(capability: "deploy", label: "claude"))
      test.work(in: other)
      async let reply = test.client().call(
        Ask.self, .init(capability: "deploy", label: "claude", inFolder: true))
      #expect(await test.presenter.nextRequest()?.request.subject.folder == app)
      test.presenter.answer(.deny)
      #expect(try await reply.state == .denied)
    }
  }

  @Test("A program that an agent started can change nothing, also after its question has been answered")
  func mayNotChange() async throws {
    try await withBroker { test in
      test.work(in: app)
      let client = try test.client()
      try await client.send(Ask.self, .init(capability: "deploy", label: "claude", inFolder: true))
      _ = await test.presenter.next()
      test.presenter.answer(.deny)
      _ = try await client.next(of: Ask.self)
      let agent = TestBroker.program("/home/ana/bin/backup.sh").evidence.process
      test.seeAtControl(ControlCaller(lineage: [.init(identity: agent)]))
      let control = try test.client(.control)
      do {
        _ = try await control.call(Methods.Allow.self, .init(program: "claude", capability: "deploy"))
        Issue.record("it was done")
      } catch BrokerError.mayNotChange(let reason) {
        #expect(reason.contains("asks here for what it does"))
      }
      let told = try await control.call(Methods.Log.self, .init(kinds: ["refused"])).entries
      #expect(told.map(\.text) == ["tried to use Allow although it was started by an agent"])
    }
  }

  @Test(
    "A broker that was started again knows an agent by its file, and not every program by the agent's name")
  func mayNotChangeLater() async throws {
    try await withBroker { test in
      try test.store.decide(Ruling(.allow, subject: agent, atoms: staging), by: .commandLine)
      let named = Subject(label: "claude", file: nil, folder: app)
      try test.store.decide(Ruling(.allow, subject: named, atoms: staging), by: .commandLine)
      var member = ControlCaller.Member(identity: ProcessIdentity(pid: 7, startTime: 7))
      member.program = "/usr/bin/tmux"
      test.seeAtControl(ControlCaller(lineage: [member]))
      let call = Methods.Allow.Parameters(program: "backup", capability: "deploy")
      let control = try test.client(.control)
      _ = try await control.call(Methods.Allow.self, call)
      member.program = agent.path
      test.seeAtControl(ControlCaller(lineage: [member]))
      do {
        _ = try await control.call(Methods.Allow.self, call)
        Issue.record("it was done")
      } catch BrokerError.mayNotChange(let reason) {
        #expect(reason.contains("asks here for what it does"))
      }
    }
  }

  @Test("The next broker still knows the folder of an agent whose request waits")
  func takeOver() async throws {
    try await withBroker { test in
      test.work(in: app)
      let client = try test.client()
      let id = String(repeating: "a1", count: 16)
      try await client.send(Ask.self, .init(id: id, capability: "deploy", label: "claude", inFolder: true))
      _ = await test.presenter.nextRequest()
      test.work(in: other)
      let next = AgentFolders(look: { _ in other }, isRunning: { _ in true })
      next.inherit(try test.store.waitingRequests().map(\.request))
      #expect(next.folder(of: TestBroker.program("/home/ana/bin/backup.sh").evidence.process) == app)
    }
  }

  @Test("The next broker knows an agent that has asked, until its process ends or the machine is restarted")
  func nextBroker() async throws {
    try await withBroker { test in
      test.work(in: app)
      async let reply = test.client().call(
        Ask.self, .init(capability: "deploy", label: "claude", inFolder: true))
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.deny)
      #expect(try await reply.state == .denied)
      await test.broker.stop()
      test.work(in: other)
      let next = Broker(test.broker.configuration)
      try next.serve(ListeningSockets(lock: test.folder.file("lock"), candidates: [test.address]))
      let process = TestBroker.program("/home/ana/bin/backup.sh").evidence.process
      #expect(next.folders.agent(process)?.label == "claude")
      #expect(next.folders.folder(of: process) == app)
      await next.stop()
      let path = test.address.folder + "/agents"
      #expect(FileStatus(path)?.mode == 0o600)
      let boot = test.store.environment.now().bootID
      for (isRunning, boot) in [(false, boot), (true, "another")] {
        let folders = AgentFolders(look: { _ in other }, isRunning: { _ in isRunning })
        folders.keep(in: AgentRecord(path: path, boot: boot))
        #expect(folders.agent(process) == nil)
      }
      try "garbage".write(toFile: path, atomically: false, encoding: .utf8)
      #expect(AgentRecord(path: path, boot: boot).read().isEmpty)
    }
  }

  private var agent: Subject {
    var subject = TestBroker.program("/home/ana/bin/backup.sh").subject(label: "claude")
    subject.folder = app
    return subject
  }

  private let staging: Set = [Atom("deploy", "staging")]

  @Test("A program that has asked as an agent stays one, even if it leaves its folder out")
  func staysAgent() async throws {
    try await withBroker { test in
      test.work(in: app)
      async let first = test.client().call(
        Ask.self, .init(capability: "deploy", label: "claude", inFolder: true))
      _ = await test.presenter.nextRequest()
      test.presenter.answer(.deny)
      _ = try await first
      #expect(try test.store.decisions().isEmpty)
      async let second = test.client().call(Ask.self, .init(capability: "deploy", label: "claude"))
      #expect(await test.presenter.nextRequest()?.request.subject.folder == app)
      test.presenter.answer(.deny)
      #expect(try await second.state == .denied)
    }
  }

  @Test("An agent that leaves its folder out evades no denial and no mute there, at the next broker either")
  func evasion() async throws {
    for (ruling, label) in [
      (Ruling(.deny, subject: agent, atoms: staging), "claude"), (.mute(agent), "other"),
    ] {
      try await withBroker { test in
        test.work(in: app)
        try test.store.decide(ruling, by: .commandLine)
        let reply = try await test.client().call(Ask.self, .init(capability: "deploy", label: label))
        #expect(reply.state == .denied)
        let status = try await test.client().call(
          Methods.Status.self, .init(capability: "deploy:staging", label: label))
        #expect(status.state == .denied)
      }
    }
  }

  @Test("If the folder cannot be determined, denials in any folder count, and allows in none")
  func unknownFolder() async throws {
    let rulings = [
      Ruling(.deny, subject: agent, atoms: staging), .mute(agent),
      Ruling(.deny, subject: Subject(label: "claude", file: nil, folder: app), atoms: staging),
    ]
    for ruling in rulings {
      try await withBroker { test in
        try test.store.decide(ruling, by: .commandLine)
        for inFolder in [true, false] {
          let reply = try await test.client().call(
            Ask.self, .init(capability: "deploy", label: "claude", inFolder: inFolder))
          #expect(reply.state == .denied)
        }
      }
    }
  }

  @Test("A folder that cannot be determined is a doubt, and no answer is kept beyond the process")
  func unknown() async throws {
    try await withBroker { test in
      try test.store.decide(Ruling(.allow, subject: agent, atoms: staging), by: .commandLine)
      async let reply = test.client().call(Ask.self, .init(capability: "deploy", label: "claude"))
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.subject.folder == .unknown)
      #expect(alert.request.evidence?.doubt == "the folder in which it works cannot be determined")
      #expect(alert.lifetimes.filter { $0.disabledReason == nil }.map(\.choice) == [.once, .process])
      test.presenter.answer(.deny)
      #expect(try await reply.state == .denied)
    }
  }

  @Test("The folders of processes that have ended are forgotten")
  func bounded() {
    let folders = AgentFolders(look: { _ in app }, isRunning: { $0.pid > 900 })
    for pid in Int32(1)...1000 { _ = folders.folder(of: ProcessIdentity(pid: pid, startTime: 1)) }
    #expect(folders.count < 250)
    for number in 0..<2_000 { folders.noteAgent(Subject(label: "\(number)", path: "/x"), process: nil) }
    #expect(folders.isAgent(Subject(label: "1999", path: "/x")))
    #expect(!folders.isAgent(Subject(label: "1999", path: "/y")))
    #expect((0..<2_000).count { folders.isAgent(Subject(label: "\($0)", path: "/x")) } == 1_000)
  }

  @Test("The working folder of a real process is its own; a deleted one is none")
  func real() throws {
    let folder = try TemporaryFolder()
    let inside = folder.file("inside")
    try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: false)
    try running(["sleep", "60"], in: inside) { process in
      defer { kill(process, SIGKILL) }
      let start = try #require(ProcessStat(of: process)?.startTime)
      while ProgramFolder(of: ProcessIdentity(pid: process, startTime: start))?.path != inside {
        sched_yield()
      }
      #expect(ProgramFolder(of: ProcessIdentity(pid: process, startTime: start)) == ProgramFolder(at: inside))
      #expect(ProgramFolder(of: ProcessIdentity(pid: process, startTime: start + 1)) == nil)
      try FileManager.default.removeItem(atPath: inside)
      #expect(ProgramFolder(of: ProcessIdentity(pid: process, startTime: start)) == nil)
    }
  }
}
