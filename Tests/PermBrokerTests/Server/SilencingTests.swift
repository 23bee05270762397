import Machine
import Operations
import PermModel
import Testing

@testable import PermBroker

@Suite("Programs are silenced through the broker", .timeLimit(.minutes(5)))
struct SilencingTests {
  private static let script = "/home/ana/bin/backup.sh"

  @Test("A panic denies what waits and what is new, and lifting it lets programs ask again")
  func panic() async throws {
    try await withBroker { test in
      let client = try test.client()
      try await client.send(Methods.Request.self, .init(capability: "deploy", label: "backup"))
      _ = try await client.next(of: Methods.Request.self)
      let control = try test.client(.control)
      #expect(try await control.call(Methods.Panic.self, .init()).changed)
      #expect(try await client.next(of: Methods.Request.self).state == .denied)
      #expect(try await !control.call(Methods.Panic.self, .init()).changed)
      #expect(try await test.ask().state == .denied)
      #expect(try await control.call(Methods.Panic.self, .init(lift: true)).changed)
      #expect(try await !control.call(Methods.Panic.self, .init(lift: true)).changed)
      #expect(try test.store.journal(.all, .newest(100)).first?.origin == .commandLine)
      try await client.send(Methods.Request.self, .init(capability: "deploy", label: "backup"))
      #expect(try await client.next(of: Methods.Request.self).state == .waiting)
      await client.disconnect()
    }
  }

  @Test("A panic refuses the question on the screen, and every later one without showing it")
  func questions() async throws {
    try await withBroker { test in
      let queue = OperationQueue(name: "test", exclusion: test.broker.configuration.exclusion)
      let question = AlertOperation(Confirmation(title: "Delete 12 albums?"), in: test.broker.slot)
      let open = queue.add(question)
      #expect(await test.presenter.next().summary == "Delete 12 albums?")
      let line = queue.add(question)
      _ = try await test.client(.control).call(Methods.Panic.self, .init())
      #expect(try await open.value == .refused)
      #expect(try await line.value == .refused)
      _ = await test.presenter.nextWithdrawn()
      #expect(try await queue.add(question).value == .refused)
      // A notice asks for nothing, so it is still shown. That it comes next shows that no question was.
      let notice = queue.add(AlertOperation(title: "Copied", in: test.broker.slot))
      #expect(await test.presenter.next().summary == "Copied")
      test.presenter.answer(.acknowledged)
      #expect(try await notice.value == .acknowledged)
    }
  }

  @Test("A program started by one that waits may begin a panic, but not lift it, mute or unmute")
  func descendant() async throws {
    try await withBroker { test in
      let client = try test.client()
      try await client.send(Methods.Request.self, .init(capability: "deploy", label: "backup"))
      _ = try await client.next(of: Methods.Request.self)
      _ = await test.presenter.next()
      test.presenter.answer(.setAside)
      test.seeAtControl(
        ControlCaller(lineage: [.init(identity: TestBroker.program(Self.script).evidence.process)]))
      let control = try test.client(.control)
      try await refused { try await control.call(Methods.Panic.self, .init(lift: true)) }
      try await refused { try await control.call(Methods.Mute.self, .init(program: "backup")) }
      try await refused { try await control.call(Methods.Unmute.self, .init(program: "backup")) }
      #expect(try test.store.decisions().isEmpty)
      #expect(try await control.call(Methods.Panic.self, .init()).changed)
      #expect(try await client.next(of: Methods.Request.self).state == .denied)
    }
  }

  private func refused(_ call: () async throws -> some Any) async throws {
    do {
      _ = try await call()
      Issue.record("it was done")
    } catch BrokerError.mayNotChange {}
  }

  @Test("A mute denies what waits and what is new without an alert, under any label, until it is taken back")
  func mute() async throws {
    try await withBroker { test in
      let client = try test.client()
      try await client.send(Methods.Request.self, .init(capability: "deploy", label: "backup"))
      _ = try await client.next(of: Methods.Request.self)
      let control = try test.client(.control)
      let mute = try await control.call(Methods.Mute.self, .init(program: "backup")).decisions
      #expect(mute.map(\.capability) == ["*"])
      #expect(try await client.next(of: Methods.Request.self).state == .denied)
      #expect(try await test.ask(label: "renamed").state == .denied)
      let ended = try await control.call(Methods.Unmute.self, .init(program: Self.script)).decisions
      #expect(ended.map(\.decided) == mute.map(\.decided) && ended.count == 1)
      #expect(try await control.call(Methods.Unmute.self, .init(program: "backup")).decisions.isEmpty)
    }
  }

  @Test("A label that no program has used is not muted, and what was meant is said")
  func unknown() async throws {
    try await withBroker { test in
      let control = try test.client(.control)
      _ = try await control.call(Methods.Allow.self, .init(program: "backup", capability: "deploy"))
      await #expect(throws: BrokerError.noSuchProgram("bakcup", meant: "backup")) {
        try await control.call(Methods.Mute.self, .init(program: "bakcup"))
      }
      await #expect(throws: BrokerError.self) {
        try await control.call(Methods.Mute.self, .init(program: "everyone"))
      }
      #expect(try test.store.decisions().count == 1)
    }
  }
}
