import Foundation
import PermModel
import Testing

@testable import PermBroker

@Suite("A program's view of its own status", .timeLimit(.minutes(5)))
struct ProgramStatusTests {
  private func value(_ path: String) throws -> Wire.Value {
    Wire.Value(part: "read", scope: ScopeFields(.path(try AbsolutePath(path))))
  }

  private func status(_ test: TestBroker, _ path: String) async throws -> Methods.Status.Reply {
    try await test.client().call(
      Methods.Status.self, .init(capability: "files", values: [value(path)], label: "backup"))
  }

  @Test("A value is allowed, denied, or would be asked about; never why")
  func values() async throws {
    try await withBroker { test in
      let subject = TestBroker.program("/home/ana/bin/backup.sh").subject(label: "backup")
      let allowed = Atom("files", "read", .folder(try AbsolutePath("/srv")))
      let denied = Atom("files", "read", .path(try AbsolutePath("/srv/key")))
      try test.store.decide(Ruling(.allow, subject: subject, atoms: [allowed]), by: .commandLine)
      try test.store.decide(Ruling(.deny, subject: .everyone, atoms: [denied]), by: .commandLine)
      #expect(try await status(test, "/srv/a").state == .allowed)
      #expect(try await status(test, "/srv/key").state == .denied)
      #expect(try await status(test, "/home/x").state == .ask)
      let text = String(decoding: try await WireCoding.encode(status(test, "/srv/key")), as: UTF8.self)
      for word in ["everyone", "command-line", "decided", "folder", "suspended"] {
        #expect(!text.contains(word))
      }
    }
  }

  @Test("Another program's values say nothing, nor does a mute or a panic say what it is")
  func others() async throws {
    try await withBroker { test in
      let other = TestBroker.program("/usr/bin/other").subject(label: "backup")
      let atom = Atom("files", "read", .path(try AbsolutePath("/srv/a")))
      try test.store.decide(Ruling(.allow, subject: other, atoms: [atom]), by: .commandLine)
      #expect(try await status(test, "/srv/a").state == .ask)
      let subject = TestBroker.program("/home/ana/bin/backup.sh").subject(label: "backup")
      try test.store.decide(.mute(subject), by: .commandLine)
      let muted = try await status(test, "/srv/a")
      try test.store.setSuspended(true, by: .commandLine)
      #expect(try await status(test, "/srv/a") == muted)
      #expect(muted.state == .denied)
    }
  }

  @Test("A call that is too long is refused with the limit, by the client and by the broker")
  func length() async throws {
    try await withBroker { test in
      let lines = (0..<32).map { String(repeating: "x", count: 8000) + "\($0)" }
      let values = lines.map { Wire.Value(part: "run", scope: ScopeFields(.command($0))) }
      let error = await #expect(throws: BrokerError.self) {
        try await test.client().call(
          Methods.Request.self, .init(capability: "commands", values: values, label: "backup"))
      }
      #expect("\(error as Any)".contains("65536"))
      let client = try test.client()
      try await client.sendRaw(Data(repeating: UInt8(ascii: "x"), count: 66_000))
      let refusal = await #expect(throws: BrokerError.self) { try await client.next(of: Methods.Status.self) }
      #expect("\(refusal as Any)".contains("65536"))
    }
  }
}
