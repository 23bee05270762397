import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("An agent asks in its folder", .timeLimit(.minutes(1)))
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

  @Test("Where the folder cannot be determined, the request is refused with a reason")
  func unknown() async throws {
    try await withBroker { test in
      test.work(in: nil)
      let error = await #expect(throws: BrokerError.self) {
        try await test.client().call(Ask.self, .init(capability: "deploy", inFolder: true))
      }
      #expect("\(error as Any)".contains("folder in which the program works"))
    }
  }

  @Test("The folders of processes that have ended are forgotten")
  func bounded() {
    let folders = AgentFolders(look: { _ in app }, isRunning: { $0.pid > 900 })
    for pid in Int32(1)...1000 { _ = folders.folder(of: ProcessIdentity(pid: pid, startTime: 1)) }
    #expect(folders.count < 250)
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
