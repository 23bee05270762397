import Foundation
import PermModel
import Testing

@testable import PermBroker

@Suite("A path that leads elsewhere when its request is answered", .timeLimit(.minutes(5)))
struct AskedAgainTests {
  private typealias Ask = Methods.Request
  private let place: PathPlace
  private static let id = "asked-again-000001"

  init() throws {
    place = try PathPlace()
    for name in ["harmless", "secret"] { try place.file(name) }
    try place.link("link", to: "harmless")
  }

  @Test("An answer to what the link led to before does not count; the question is asked again")
  func dashboard() async throws {
    try await withBroker { test in
      let client = try await asked(test)
      let first = try #require(await test.presenter.nextRequest())
      #expect(first.request.atoms == [place.read("harmless")])
      try place.swap("link", to: "secret")
      test.presenter.answer(.allow, .forever)
      let second = try #require(await test.presenter.nextRequest())
      #expect(second.request.atoms == [place.read("secret")])
      #expect(second.request.id == first.request.id)
      #expect(try test.store.decisions().isEmpty)
      #expect(try test.store.waitingRequests().map(\.request.atoms) == [[place.read("secret")]])
      test.presenter.answer(.allow, .forever)
      #expect(try await client.end().state == .allowed)
      #expect(try test.store.decisions().map(\.atom) == [place.read("secret")])
      #expect(try test.store.waitingRequests().isEmpty)
    }
  }

  @Test(
    "A path that was denied meanwhile is not asked about again, and its request does not stay in the store")
  func denied() async throws {
    try await withBroker { test in
      let client = try await asked(test)
      _ = await test.presenter.nextRequest()
      try place.decide(.deny, "secret", in: test.store)
      try place.swap("link", to: "secret")
      test.presenter.answer(.allow)
      #expect(try await client.end().state == .denied)
      #expect(try test.store.waitingRequests().isEmpty)
    }
  }

  @Test("An answer by id is refused as outdated, and the digest of the new question is another")
  func byID() async throws {
    try await withBroker(hasDashboard: false) { test in
      let client = try await asked(test)
      #expect(try await client.next(of: Ask.self).state == .waiting)
      let digest = try await test.pending(Self.id).digest.description
      try place.swap("link", to: "secret")
      for _ in 1...2 {
        await #expect(throws: BrokerError.changed) {
          try await test.client(.control).call(
            Methods.Answer.self,
            .init(id: Self.id, answer: .init(verdict: .allow), digest: digest, origin: nil))
        }
        // The second reply that it waits comes once it is asked again.
        if try await test.pending(Self.id).request.atoms == [place.read("harmless")] {
          #expect(try await client.next(of: Ask.self).state == .waiting)
        }
      }
      #expect(try await test.pending(Self.id).request.atoms == [place.read("secret")])
      try await test.answer(Self.id, .init(verdict: .allow))
      #expect(try await client.end().state == .allowed)
    }
  }

  @Test("An answer on the program's own terminal to an outdated question is refused")
  func ownTerminal() async throws {
    try await withBroker(hasDashboard: false) { test in
      let client = try await asked(test)
      #expect(try await client.next(of: Ask.self).state == .waiting)
      _ = try await test.client().call(Methods.AskHere.self, .init(id: Self.id, asks: true))
      try place.swap("link", to: "secret")
      await #expect(throws: BrokerError.noSuchRequest(Self.id)) {
        try await test.client().call(Methods.AnswerHere.self, .init(id: Self.id, verdict: .allow))
      }
      #expect(try await client.next(of: Ask.self).state == .waiting)
      #expect(try await test.pending(Self.id).request.atoms == [place.read("secret")])
    }
  }

  @Test("A decision for the file that a link led to before does not allow the file to which it leads now")
  func decidedMeanwhile() async throws {
    try await withBroker { test in
      let client = try await asked(test)
      _ = await test.presenter.nextRequest()
      try place.swap("link", to: "secret")
      try place.decide(.allow, "harmless", in: test.store)
      #expect(try await client.end().state == .withdrawn)
    }
  }

  @Test("A program that goes away while it is asked again is withdrawn")
  func gone() async throws {
    try await withBroker { test in
      let client = try await askedAgain(test)
      await client.disconnect()
      _ = await test.presenter.nextWithdrawn()
      try await test.untilNothingWaits()
    }
  }

  @Test("A program that repeats a request which was asked again gets the same end")
  func repeated() async throws {
    try await withBroker { test in
      let client = try await askedAgain(test)
      test.presenter.answer(.deny)
      #expect(try await client.end().state == .denied)
      #expect(try await asked(test).end().state == .denied)
      #expect(try test.journal().filter { $0 == .asked }.count == 2)
    }
  }

  /// Asks about the link, lets it lead elsewhere when it is answered, and waits for the second question.
  private func askedAgain(_ test: TestBroker) async throws -> TestClient {
    let client = try await asked(test)
    _ = await test.presenter.nextRequest()
    try place.swap("link", to: "secret")
    test.presenter.answer(.allow)
    _ = await test.presenter.nextRequest()
    return client
  }

  private func asked(_ test: TestBroker, _ spelled: String? = nil) async throws -> TestClient {
    let client = try test.client()
    let path = spelled ?? place.folder.file("link")
    try await client.send(Ask.self, PathPlace.parameters(path, id: Self.id))
    return client
  }
}

// MARK: - Other changes than that of a link

extension AskedAgainTests {
  @Test("An answer to a path with .. does not count if a link on the way leads elsewhere")
  func upwards() async throws {
    for name in ["near/deep", "far/deep"] { try place.folder(name) }
    for name in ["near/file", "far/file"] { try place.file(name) }
    try place.link("way", to: "near/deep")
    try await withBroker { test in
      let client = try await asked(test, place.folder.file("way/../file"))
      let first = try #require(await test.presenter.nextRequest())
      #expect(first.request.atoms == [place.read("near/file")])
      try place.swap("way", to: "far/deep")
      test.presenter.answer(.allow, .forever)
      let second = try #require(await test.presenter.nextRequest())
      #expect(second.request.atoms == [place.read("far/file")])
      test.presenter.answer(.deny)
      #expect(try await client.end().state == .denied)
      #expect(try test.store.decisions().isEmpty)
    }
  }

  @Test("A path with .. that can no longer be looked up is refused, and the answer to it does not count")
  func doubtUpwards() async throws {
    try place.folder("near")
    try place.link("way", to: "near")
    try await withBroker { test in
      let client = try await asked(test, place.folder.file("way/../harmless"))
      let first = try #require(await test.presenter.nextRequest())
      #expect(first.request.atoms == [place.read("harmless")])
      try place.swap("way", to: "nowhere")
      test.presenter.answer(.allow, .forever)
      let error = await #expect(throws: BrokerError.self) { try await client.end() }
      #expect("\(error as Any)".contains("write the path without .."))
      #expect(try test.store.decisions().isEmpty)
      #expect(try test.store.waitingRequests().isEmpty)
    }
  }

  @Test("A relative path is asked about again if the working folder of its process has moved")
  func workingFolder() async throws {
    try place.folder("one")
    try place.file("one/file")
    let process = try IdleProcess(in: place.folder.file("one"))
    defer { process.end() }
    try await withBroker { test in
      test.see(process.program)
      let client = try await asked(test, "file")
      let first = try #require(await test.presenter.nextRequest())
      #expect(first.request.atoms == [place.read("one/file")])
      try FileManager.default.moveItem(atPath: place.folder.file("one"), toPath: place.folder.file("two"))
      test.see(process.program(in: place.folder.file("two")))
      test.presenter.answer(.allow, .forever)
      let second = try #require(await test.presenter.nextRequest())
      #expect(second.request.id == first.request.id)
      #expect(second.request.atoms == [place.read("two/file")])
      #expect(second.request.evidence?.workingDirectory == place.folder.file("two"))
      #expect(try test.store.decisions().isEmpty)
      #expect(try test.store.waitingRequests().map(\.request.atoms) == [[place.read("two/file")]])
      test.presenter.answer(.allow, .forever)
      #expect(try await client.end().state == .allowed)
      #expect(try test.store.decisions().map(\.atom) == [place.read("two/file")])
      #expect(try test.store.waitingRequests().isEmpty)
    }
  }

  @Test("A file that has another name by now is asked about again")
  func hardLink() async throws {
    try await withBroker { test in
      let client = try await asked(test, place.folder.file("harmless"))
      let first = try #require(await test.presenter.nextRequest())
      #expect(first.request.facts.paths.isEmpty)
      try place.hardLink("other", to: "harmless")
      test.presenter.answer(.allow)
      let second = try #require(await test.presenter.nextRequest())
      #expect(second.request.atoms == first.request.atoms)
      #expect(second.request.facts.paths.contains { $0.file != nil })
      test.presenter.answer(.allow)
      #expect(try await client.end().state == .allowed)
    }
  }

  @Test("A command form whose conditions no longer hold is not offered when the line is asked about again")
  func form() async throws {
    let process = try IdleProcess(in: place.path)
    defer { process.end() }
    try await withBroker { test in
      test.see(process.program)
      try place.decide(.allow, "harmless", in: test.store)
      let client = try test.client()
      let line = Wire.Value(part: "run", scope: ScopeFields(.command("cat ./link")))
      try await client.send(
        Ask.self, .init(id: Self.id, capability: "commands", values: [line], label: "backup"))
      let first = try #require(await test.presenter.nextRequest())
      #expect(first.request.facts.forms == ["cat"])
      try place.swap("link", to: "secret")
      test.presenter.answer(.allow)
      let second = try #require(await test.presenter.nextRequest())
      #expect(second.request.facts.forms.isEmpty)
      test.presenter.answer(.deny)
      #expect(try await client.end().state == .denied)
    }
  }
}
