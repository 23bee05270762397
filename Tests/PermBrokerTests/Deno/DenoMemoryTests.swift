import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("Decisions about Deno's questions", .timeLimit(.minutes(5)))
struct DenoMemoryTests {
  private let place: PathPlace
  private var file: String { place.folder.file("a.txt") }

  init() throws {
    place = try PathPlace()
    try place.file("a.txt")
  }

  @Test("A decided question is answered at once, and a change counts from the next question on")
  func decided() async throws {
    try await withDeno { test, deno in
      try test.decide(.allow, "files:read@\(place.path)/")
      #expect(try await deno.ask("read", file) == .init(id: 1, result: "allow"))
      #expect(try await deno.ask("read", file).result == "allow")
      try test.decide(.deny, "files:read@\(file)")
      #expect(try await deno.ask("read", file).result == "deny")
      #expect(try await deno.ask("read", place.folder.file("b.txt")).result == "allow")
      try test.store.setSuspended(true, by: .commandLine)
      #expect(try await deno.ask("read", place.folder.file("b.txt")).result == "deny")
      try test.store.setSuspended(false, by: .commandLine)
      #expect(try await deno.ask("read", place.folder.file("b.txt")).result == "allow")
      #expect(test.presenter.showing == nil)
    }
  }

  @Test("A link is followed at each question, so a folder that is allowed does not cover where it leads")
  func links() async throws {
    let other = try PathPlace()
    try other.file("secret")
    try await withDeno { test, deno in
      try test.decide(.allow, "files:read@\(place.path)/")
      try test.decide(.deny, "files:read@\(other.path)/")
      #expect(try await deno.ask("read", file).result == "allow")
      try place.remove("a.txt")
      try FileManager.default.createSymbolicLink(
        atPath: file, withDestinationPath: other.folder.file("secret"))
      #expect(try await deno.ask("read", file).result == "deny")
    }
  }

  @Test("An allow that has ended has no effect, although the store has not changed")
  func ends() async throws {
    let running = Lock(true)
    var environment = StoreEnvironment.linux(sessionFolder: nil)
    let now = environment.now
    environment.now = {
      var moment = now()
      moment.isRunning = { _ in running.withLock(\.self) }
      return moment
    }
    let test = try TestBroker(store: MemoryStore(environment: environment))
    test.see(TestBroker.program(TestBroker.denoScript))
    let deno = try DenoClient(at: test.address)
    let subject = TestBroker.program(TestBroker.denoScript).subject(label: nil)
    let process = TestBroker.program(TestBroker.denoScript).evidence.process
    try test.store.decide(
      Ruling(
        .allow, subject: subject, atoms: [Atom("environment", "read", .name("HOME"))], lifetime: .process,
        process: process),
      by: .commandLine)
    #expect(try await deno.ask("env", "HOME").result == "allow")
    running.withLock { $0 = false }
    try await deno.send("env", "HOME")
    #expect(await test.presenter.nextRequest() != nil)
    test.presenter.answer(.deny)
    #expect(try await deno.reply().result == "deny")
    await test.broker.stop()
  }

  @Test("Uses are noted in the journal, summed up")
  func journal() async throws {
    try await withDeno { test, deno in
      try test.decide(.allow, "files:read@\(place.path)/")
      for _ in 0..<5 { try await deno.ask("read", file) }
      test.broker.answers.write()
      let entries = try test.store.journal(JournalFilter(kinds: [.automatic]), .newest(9))
      #expect(entries.count == 1 && entries.first?.verdict == .allow, "\(entries)")
    }
  }
}
