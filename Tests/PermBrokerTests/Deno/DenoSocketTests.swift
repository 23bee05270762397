import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("The socket for Deno", .timeLimit(.minutes(5)))
struct DenoSocketTests {
  private let place: PathPlace
  private var file: String { place.folder.file("a.txt") }

  init() throws {
    place = try PathPlace()
    try place.file("a.txt")
  }

  @Test("Bad input of any kind is denied under its number, and the connection goes on")
  func badInput() async throws {
    try await withDeno { test, deno in
      try test.decide(.allow, "files:read@*")
      try await deno.sendRaw("{\"v\":1,\"pid\":1,\"id\":4,\"permission\"\n")
      #expect(try await deno.reply().id == 4)
      try await deno.sendRaw("what?\n")
      let reply = try await deno.reply()
      #expect(reply.id == 5 && reply.result == "deny" && reply.reason?.contains("understand") == true)
      try await deno.sendRaw("{\"v\":1,\"id\":9,\"value\":\"\(String(repeating: "x", count: 200_000))\"}\n")
      #expect(try await deno.reply().id == 9)
      try await deno.send("read", file, pid: 1)
      #expect(try await deno.reply().result == "deny")
      try await deno.send("read", String(repeating: "a/", count: 3_000))
      #expect(try await deno.reply().result == "deny")
      #expect(try await deno.ask("fly", "x").result == "deny")
      #expect(try await deno.ask("read", file).result == "allow")
      test.broker.answers.write()
      let entries = try test.store.journal(JournalFilter(kinds: [.automatic]), .newest(9))
      let denial = try #require(entries.first { $0.verdict == .deny })
      #expect(denial.capability == nil && denial.text?.contains("cannot be asked about") == true)
      let denials = entries.filter { $0.verdict == .deny }
      #expect(denials.map(\.count).reduce(0, +) == 6, "\(entries)")
    }
  }

  @Test("Bytes that come one by one, or several questions at once, are answered in order")
  func pieces() async throws {
    try await withDeno { test, deno in
      try test.decide(.allow, "environment:read@A")
      try test.decide(.deny, "environment:read@B")
      func question(_ id: Int, _ name: String) -> String {
        "{\"v\":1,\"pid\":\(getpid()),\"id\":\(id),\"permission\":\"env\",\"value\":\"\(name)\"}\n"
      }
      for byte in question(1, "A") { try await deno.sendRaw(String(byte)) }
      #expect(try await deno.reply() == .init(id: 1, result: "allow"))
      try await deno.sendRaw(question(2, "B") + question(3, "A") + question(4, "B"))
      for (id, result) in [(2, "deny"), (3, "allow"), (4, "deny")] {
        let reply = try await deno.reply()
        #expect(reply.id == id && reply.result == result)
      }
    }
  }

  @Test("A program whose name cannot be shown gets denials with a reason")
  func badName() async throws {
    try await withDeno { test, deno in
      test.see(TestBroker.program("/home/ana/app/a\u{202e}b.ts"))
      let reply = try await deno.ask("read", file)
      #expect(reply.result == "deny" && reply.reason?.isEmpty == false)
    }
  }

  // MARK: Ends

  @Test("The question of a process that goes away is withdrawn")
  func withdrawn() async throws {
    try await withDeno { test, deno in
      try await deno.send("read", file)
      _ = await test.presenter.next()
      await deno.disconnect()
      _ = await test.presenter.nextWithdrawn()
      try await test.untilNothingWaits()
      #expect(try test.journal() == [.asked, .shown, .withdrawn])
    }
  }

  @Test("When the broker ends, the open question is denied, and no request of it is left behind")
  func brokerEnds() async throws {
    let test = try TestBroker()
    let deno = try DenoClient(at: test.address)
    try await deno.send("read", file)
    _ = await test.presenter.next()
    async let stopped: Void = test.broker.stop()
    #expect(try await deno.reply() == .init(id: 1, result: "deny", reason: "PermTUI ended"))
    await stopped
    #expect(try test.store.waitingRequests().isEmpty)
    await #expect(throws: (any Error).self) { try await deno.ask("read", file) }
  }

  @Test("One process has one question open, even over several connections")
  func oneQuestion() async throws {
    try await withDeno { test, deno in
      let other = try DenoClient(at: test.address)
      try await deno.send("env", "A")
      let first = try #require(await test.presenter.nextRequest())
      try await other.send("env", "B")
      try await other.sendRaw("")
      #expect(try test.store.waitingRequests().map(\.id) == [first.request.id])
      test.presenter.answer(.deny)
      #expect(try await deno.reply().result == "deny")
      #expect(await test.presenter.nextRequest()?.request.atoms.first?.scope == .name("B"))
      #expect(try test.store.waitingRequests().count == 1)
      test.presenter.answer(.deny)
      #expect(try await other.reply().result == "deny")
    }
  }

  @Test("A script that asks too often waits instead of being denied")
  func patient() async throws {
    var limits = RequestLimits.Settings()
    limits.program = .init(burst: 1, interval: .milliseconds(1))
    try await withDeno(limits: limits) { test, deno in
      for name in ["A", "B", "C"] {
        try await deno.send("env", name)
        _ = await test.presenter.next()
        test.presenter.answer(.allow)
        #expect(try await deno.reply().result == "allow")
      }
    }
  }
}
