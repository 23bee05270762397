import Foundation
import Glibc
import Operations
import PermModelTesting
import Testing

@testable import Machine
@testable import PermModel

@Suite("Values of a program that asks in its own slot", .timeLimit(.minutes(5)))
struct OwnSlotTests {
  private let answerer: TestAnswerer
  private let place: ScratchFolder

  init() throws {
    answerer = try TestAnswerer()
    place = try ScratchFolder()
    try place.folder("d")
    try place.folder("d/secret")
    try place.file("d/secret/key")
    place.link("d/way", to: place("d/secret"))
  }

  private func atom(_ name: String) throws -> Atom {
    Atom("files", "read", try Scope(place(name), kind: .path))
  }

  private func condition(_ atom: Atom) throws -> any OperationCondition {
    try #require(CapabilityCatalogue.builtIn["files"]).authorized(for: [atom], by: answerer.authorizer())
  }

  private func runs(_ name: String) async throws -> Bool {
    let handle = answerer.queue.add("read", conditions: [try condition(atom(name))]) { _ in true }
    do { return try await handle.value } catch is ConditionsFailed { return false }
  }

  @Test("A link does not lead past the denial of the folder to which it leads")
  func link() async throws {
    try answerer.decide(.allow, [atom("d/")])
    try answerer.decide(.deny, [atom("d/secret/")])
    #expect(try await !runs("d/secret/key"))
    #expect(try await !runs("d/way/key"))
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("A link into an allowed folder is allowed, and the use is noted on that folder's decision")
  func allowedLink() async throws {
    place.link("elsewhere", to: place("d/secret"))
    try answerer.decide(.allow, [atom("d/secret/")])
    #expect(try await runs("elsewhere/key"))
    let decisions = try answerer.standing("files").decisions
    #expect(decisions.values.map(\.lastUsed) == [answerer.world.wall])
  }

  @Test("A link that itself was denied is denied wherever it leads")
  func deniedLink() async throws {
    try answerer.decide(.allow, [atom("d/")])
    try answerer.decide(.deny, [atom("d/way/")])
    #expect(try await runs("d/secret/key"))
    #expect(try await !runs("d/way/key"))
  }

  @Test("An alert asks about the file to which a link leads, and names the link")
  func alert() async throws {
    let asked = try condition(atom("d/way/key"))
    let handle = answerer.queue.add("read", conditions: [asked]) { _ in true }
    let request = try #require(await answerer.presenter.nextRequest()).request
    #expect(request.atoms == [try atom("d/secret/key")])
    #expect(request.facts.paths.map(\.spelling) == [try atom("d/way/key").scope])
    answerer.presenter.answer(.allow, .forever)
    #expect(try await handle.value)
    #expect(try answerer.standing("files").allowed == [atom("d/secret/key")])
    #expect(try await runs("d/way/key"))
  }

  @Test("An alert for a folder without a slash offers the folder itself, and all that is in it")
  func namedFolder() async throws {
    let asked = try condition(atom("d"))
    let handle = answerer.queue.add("list", conditions: [asked]) { _ in true }
    let alert = try #require(await answerer.presenter.nextRequest())
    #expect(alert.request.atoms == [try atom("d")])
    #expect(alert.covers.first?.words == "this folder, but not what is in it")
    #expect(alert.covers.dropFirst().first?.scope == .folder(try AbsolutePath(place("d"))))
    answerer.presenter.answer(.deny)
    await #expect(throws: ConditionsFailed.self) { try await handle.value }
  }

  @Test("A new file in a new folder is certain, so that an allow of the folder above it counts")
  func newFolder() async throws {
    try answerer.decide(.allow, [atom("d/")])
    #expect(try await runs("d/new/deeper/file"))
    try answerer.decide(.deny, [atom("d/new/")])
    #expect(try await !runs("d/new/deeper/file"))
  }

  @Test("A bind mount of a denied folder, or of one above it, is denied", .enabled(if: geteuid() == 0))
  func bindMount() async throws {
    for name in ["bound", "above"] { try place.folder(name) }
    try run("/bin/mount", "--bind", place("d/secret"), place("bound"))
    defer { try? run("/bin/umount", place("bound")) }
    try run("/bin/mount", "--bind", place("d"), place("above"))
    defer { try? run("/bin/umount", place("above")) }
    try answerer.decide(.allow, [Atom("files", "read", .folder(try AbsolutePath(place.path)))])
    try answerer.decide(.deny, [atom("d/secret/")])
    for name in ["bound/key", "bound/new", "above/secret/key", "above/way/key"] {
      #expect(try await !runs(name), "\(name)")
    }
    #expect(try await runs("above/other"))
  }

  private func run(_ program: String, _ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  @Test("A hard link of a denied file is denied")
  func hardLink() async throws {
    Glibc.link(place("d/secret/key"), place("d/other"))
    try answerer.decide(.allow, [atom("d/")])
    try answerer.decide(.deny, [atom("d/secret/key")])
    #expect(try await !runs("d/other"))
  }

  @Test("The status of a value follows the file to which its path leads")
  func status() async throws {
    try answerer.decide(.allow, [atom("d/secret/key")])
    let files = try #require(CapabilityCatalogue.builtIn["files"])
    let report = try await answerer.queue.add(
      files.authorize([try atom("d/way/key")], by: answerer.authorizer())
    ).value
    #expect(report.isMet)
    #expect(answerer.presenter.shown.isEmpty)
  }
}

@Suite("Parts that a capability does not have", .timeLimit(.minutes(5)))
struct MisfitTests {
  @Test(
    "A condition for such a part fails with the spelling that works, and nobody is asked",
    arguments: [
      ("calendar", Atom("calendar", "remindrs"), "did you mean \"reminders\"?"),
      ("calendar", Atom("camera"), "camera is not a part of calendar"),
      ("files", Atom("files", "reed"), "did you mean \"read\"?"),
      ("files", Atom("files", "read@/srv/a"), "it has read, write"),
      ("files", Atom("files", "read", .name("a")), "files:read takes no such value"),
    ])
  func misfit(name: String, atom: Atom, words: String) async throws {
    let answerer = try TestAnswerer()
    let capability = try #require(CapabilityCatalogue.builtIn[name])
    let condition = capability.authorized(for: [atom], by: answerer.authorizer())
    let handle = answerer.queue.add("work", conditions: [condition]) { _ in true }
    let failure = await #expect(throws: ConditionsFailed.self) { try await handle.value }
    let error = try #require(failure?.first(PartError.self))
    #expect(error.atom == atom && error.description.contains(words), "\(error)")
    let asked = answerer.queue.add(capability.authorize([atom], by: answerer.authorizer()))
    await #expect(throws: PartError.self) { try await asked.value }
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("A requirement that names no part of a capability with parts is a mistake, too")
  func empty() async throws {
    let answerer = try TestAnswerer()
    let calendar = try #require(CapabilityCatalogue.builtIn["calendar"])
    let condition = calendar.authorized(for: [], by: answerer.authorizer())
    let handle = answerer.queue.add("work", conditions: [condition]) { _ in true }
    let failure = await #expect(throws: ConditionsFailed.self) { try await handle.value }
    #expect(failure?.first(PartError.self) != nil)
  }
}
