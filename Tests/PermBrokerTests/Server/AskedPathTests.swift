import Foundation
import PermModel
import Testing

@testable import Machine
@testable import PermBroker

@Suite("The paths that a program asks for", .timeLimit(.minutes(5)))
struct AskedPathTests {
  private typealias Ask = Methods.Request
  private let place: PathPlace

  init() throws { place = try PathPlace() }

  // MARK: Names

  @Test(
    "A path is asked about as the kernel finds it, with the spelling beside it, and answered under both names"
  )
  func link() async throws {
    try place.file("secret")
    try place.link("link", to: "secret")
    try await withBroker { test in
      let client = try await asked(test, "link")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms == [place.read("secret")])
      #expect(
        alert.request.facts.paths == [PathFact(scope: place.scope("secret"), spelling: place.scope("link"))])
      test.presenter.answer(.allow)
      let reply = try await client.end()
      #expect(reply.state == .allowed)
      #expect(
        Set(try reply.allowedValues?.map { try $0.scope.scope() } ?? []) == [
          place.scope("secret"), place.scope("link"),
        ])
    }
  }

  @Test("The kernel follows links before it goes up, so .. behind a link leads out of the link's target")
  func upwards() async throws {
    try place.folder("far/away")
    try place.file("far/file")
    try place.file("file")
    try place.link("near", to: "far/away")
    try await withBroker { test in
      let client = try await asked(test, "near/../file")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms == [place.read("far/file")])
      // Without the link, it would be another file, which exists. That one is neither shown nor reported.
      #expect(alert.request.facts.paths.map(\.spelling) == [place.scope("file")])
      #expect(alert.request.facts.paths.map(\.written) == [place.folder.file("near/../file")])
      test.presenter.answer(.allow)
      let reply = try await client.end()
      #expect(reply.state == .allowed)
      #expect(try reply.allowedValues?.map { try $0.scope.scope() } == [place.scope("far/file")])
    }
  }

  @Test("A relative path starts at the working folder of the process that calls")
  func relative() async throws {
    let folder = FileManager.default.currentDirectoryPath
    try await withBroker { test in
      let client = try await asked(test, spelled: "./Package.swift")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms.map(\.scope) == [.path(try AbsolutePath("\(folder)/Package.swift"))])
      #expect(alert.request.facts.paths.isEmpty)
      withExtendedLifetime(client) {}
    }
  }

  @Test(
    "Text that is no path is refused", arguments: ["", "/a\0b", "/" + String(repeating: "a", count: 4096)])
  func noPath(_ spelled: String) async throws {
    try await withBroker { test in
      await #expect(throws: BrokerError.self) {
        try await test.client().call(Ask.self, PathPlace.parameters(spelled))
      }
    }
  }

  // MARK: Doubts

  @Test("A folder that is none is a doubt about the path as it was spelled")
  func noFolder() async throws {
    try place.file("file")
    for (name, reason) in [("file", PathDoubt.notAFolder), ("missing", .missing)] {
      try await withBroker { test in
        let client = try await asked(test, name, isFolder: true)
        let alert = try #require(await test.presenter.nextRequest())
        let scope = Scope.folder(place.path(name))
        #expect(alert.request.atoms == [Atom("files", "read", scope)])
        #expect(alert.request.facts.paths == [PathFact(scope: scope, doubt: reason.reason)])
        #expect(alert.request.facts.project == nil)
        withExtendedLifetime(client) {}
      }
    }
  }

  @Test(
    "A file system that does not answer, or another mount namespace, is a doubt, and holds up nobody else")
  func hang() async throws {
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let resolver = PathResolver(patience: .milliseconds(50), mostThreads: 8) {
      path, _ throws(PathDoubt) in
      if path.starts(with: Array("/mounted".utf8)) { throw .otherMounts }
      guard path.starts(with: Array("/hangs".utf8)) else {
        return ResolvedPath(path: path, spelling: path)
      }
      gate.wait()
      gate.signal()
      throw .missing
    }
    try await withBroker(resolver: resolver) { test in
      for (path, doubt) in [
        ("/hangs/./b", PathDoubt.tooSlow), ("/mounted/b", .otherMounts), ("/ok/b", nil),
      ] {
        let client = try await asked(test, spelled: path)
        let alert = try #require(await test.presenter.nextRequest())
        let scope = Scope.path(try AbsolutePath(path))
        #expect(alert.request.atoms == [Atom("files", "read", scope)])
        #expect(alert.request.facts.paths == (doubt.map { [PathFact(scope: scope, doubt: $0.reason)] } ?? []))
        test.presenter.answer(.deny)
        #expect(try await client.end().state == .denied)
      }
    }
  }

  @Test("A path in doubt is never shortened: with .. it is refused, since nobody can tell what it means")
  func doubtUpwards() async throws {
    try place.folder("far/away")
    try place.link("near", to: "far/away")
    try await withBroker { test in
      for name in ["missing/../file", "missing/file/../other"] {
        let error = await #expect(throws: BrokerError.self) { try await asked(test, name).end() }
        #expect("\(error as Any)".contains("write the path without .."), "\(name)")
      }
      let waiting = try test.store.waitingRequests()
      #expect(waiting.isEmpty)
      // By its text alone, this would be the entry "missing/file".
      let client = try await asked(test, "near/../missing/file")
      let alert = try #require(await test.presenter.nextRequest())
      #expect(alert.request.atoms == [place.read("far/missing/file")])
      withExtendedLifetime(client) {}
    }
  }

  // MARK: Denials

  @Test(
    "A link to a denied file, and a denied link, are denied without an alert", arguments: ["secret", "link"])
  func deniedName(_ denied: String) async throws {
    try place.file("secret")
    try place.link("link", to: "secret")
    try await withBroker { test in
      try place.decide(.deny, denied, in: test.store)
      try place.decide(.allow, denied == "link" ? "secret" : "link", in: test.store)
      let reply = try await asked(test, "link").end()
      #expect(reply.state == .denied)
    }
  }

  @Test("A hard link of a denied file is denied, unless the denied path leads to another file by now")
  func hardLink() async throws {
    try place.file("secret")
    try place.hardLink("other", to: "secret")
    try await withBroker { test in
      try place.decide(.deny, "secret", everyone: true, in: test.store)
      try place.decide(.allow, "other", in: test.store)
      #expect(try await asked(test, "other").end().state == .denied)
      try place.remove("secret")
      try place.file("secret")
      #expect(try await asked(test, "other").end().state == .allowed)
    }
  }

  @Test("The denied names of all files that are asked for are looked up at once")
  func oneLook() async throws {
    for name in ["one", "two", "three"] {
      try place.file("secret \(name)")
      try place.hardLink(name, to: "secret \(name)")
    }
    let denied = Set(["secret one", "secret two", "other"].map(place.path))
    let looks = Lock(0)
    let finder = ValueResolver(resolver: PathResolver(patience: .seconds(20)), home: "/home/ana") {
      looks.withLock { $0 += 1 }
      return DeniedPlaces(denied.map { .path($0) })
    }
    var asked = AskedValues(capability: "files")
    for name in ["one", "two", "three"] { asked.add(place.read(name)) }
    let facts = try await finder.resolve(asked, by: TestBroker.program("/x").peer, in: nil).facts
    #expect(looks.withLock { $0 } == 1)
    #expect(
      Dictionary(uniqueKeysWithValues: facts.paths.map { ($0.scope, $0.deniedLinks) }) == [
        place.scope("one"): [place.scope("secret one")], place.scope("two"): [place.scope("secret two")],
        place.scope("three"): nil,
      ])
  }

  // MARK: Projects

  @Test("The project is the nearest folder with .git, and never the home folder or one above it")
  func project() async throws {
    try place.folder("app/.git")
    try place.folder("app/src")
    try place.file("app/src/file")
    let finder = ValueResolver(resolver: PathResolver(), home: place.path)
    func project(_ name: String, isFolder: Bool = false, in folder: String? = nil) async -> Scope? {
      let fact = PathFact(scope: .found(place.path(name), isFolder: isFolder))
      return await finder.project(of: [fact], in: folder.map { place.folder.file($0) })
    }
    #expect(await project("app/src/file") == .folder(place.path("app")))
    #expect(await project("app", isFolder: true) == .folder(place.path("app")))
    #expect(await project("app") == nil)
    #expect(await project("other/file", in: "other") == .folder(place.path("other")))
    #expect(await project("other/file", in: "app") == nil)
    try place.folder(".git")
    #expect(await project("other/file") == nil)
    #expect(await project("other/file", in: ".") == nil)
  }

  private func asked(_ test: TestBroker, _ name: String, isFolder: Bool = false) async throws -> TestClient {
    try await asked(test, spelled: place.folder.file(name), isFolder: isFolder)
  }

  private func asked(
    _ test: TestBroker, spelled: String, isFolder: Bool = false
  ) async throws -> TestClient {
    let client = try test.client()
    try await client.send(Ask.self, PathPlace.parameters(spelled, isFolder: isFolder))
    return client
  }
}
