import Foundation
import Operations
import PermModelTesting
import Testing

@testable import OtherPackage
@testable import PermModel

@Suite("The code of the documents", .timeLimit(.minutes(5)), .serialized)
struct PageTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../..")
  private static let code = root.appending(path: "Tests/Support/OtherPackage")

  /// Returns the lines between one that begins a part and one that ends it, without their common indentation.
  private static func parts(of file: URL, from start: String, to end: String) throws -> [String] {
    var (parts, current) = ([String](), [String]?.none)
    for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
      switch line.trimmingCharacters(in: .whitespaces) {
      case start: current = []
      case end where current != nil:
        parts.append(outdented(current ?? []))
        current = nil
      default: current?.append(line)
      }
    }
    return parts
  }

  private static func outdented(_ lines: [String]) -> String {
    let depths = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    return lines.map { String($0.dropFirst(depths.min() ?? 0)) }.joined(separator: "\n")
  }

  @Test(
    "Every example of a page is compiled and run, word for word",
    arguments: [
      ("docs/asking-from-swift.md", "AskingExamples"),
      ("Sources/PermModel/PermModel.docc/PermModel.md", "ModelExamples"),
      ("Sources/PermModel/PermModel.docc/FromOperations.md", "FromOperationsExamples"),
      ("Sources/PermModel/PermModel.docc/Testing.md", "TestingExamples"),
      ("Sources/PermBroker/PermBroker.docc/PermBroker.md", "BrokerExamples"),
    ])
  func wordForWord(page: String, examples: String) throws {
    let blocks = try Self.parts(of: Self.root.appending(path: page), from: "```swift", to: "```")
    let compiled = try Self.parts(
      of: Self.code.appending(path: "\(examples).swift"), from: "// begin example", to: "// end example")
    #expect(!blocks.isEmpty && blocks == compiled)
  }

  @Test("So is each example of the page about a capability of one's own; the first one is a file of its own")
  func ownCapability() throws {
    let page = Self.root.appending(path: "docs/your-own-capability.md")
    let compiled = Self.code.appending(path: "OwnCapabilityExamples.swift")
    let blocks = try Self.parts(of: page, from: "```swift", to: "```")
    #expect(
      try Array(blocks.dropFirst())
        == Self.parts(of: compiled, from: "// begin example", to: "// end example"))
  }

  @Test("A new client, with its test, has fewer than 60 lines")
  func newClient() async throws {
    let text = try String(contentsOf: Self.code.appending(path: "NewClient.swift"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 60)
    let machine = try TestMachine()
    #expect(try await backupWorks(on: machine.root + "/"))
  }

  // MARK: The interface of 0.2.0

  private static let before = root.appending(path: "Tests/PermModelTests/Authorization/Version0.2.0")

  /// Returns the line as it was in 0.2.0.
  private static func former(_ line: String) -> String {
    guard let note = line.firstRange(of: "  // was: ") else { return line }
    return String(line.prefix { $0 == " " } + line[note.upperBound...])
  }

  @Test("The page of 0.2.0 still compiles, but for the lines that say what they were")
  func page020() throws {
    let code = try Self.parts(
      of: Self.code.appending(path: "PageOf020.swift"), from: "// begin example", to: "// end example")
    let former = code.map { $0.components(separatedBy: "\n").map(Self.former).joined(separator: "\n") }
    let page = try String(
      contentsOf: Self.before.appending(path: "asking-from-swift.txt"), encoding: .utf8)
    #expect(page == (["import PermBroker"] + former).joined(separator: "\n\n") + "\n")
    let changed = code.flatMap { $0.components(separatedBy: "\n") }.filter { $0.contains("// was: ") }
    #expect(changed.count == 1)
  }

  @Test("The example of 0.2.0 is compiled and run as it was", arguments: ["Main", "ImportPictures"])
  func example020(name: String) throws {
    let now = Self.root.appending(path: "Examples/Sources/ImportPictures/\(name).swift")
    let lines = try String(contentsOf: now, encoding: .utf8).components(separatedBy: "\n")
    let before = Self.before.appending(path: "\(name).swift.txt")
    #expect(
      try lines.map(Self.former).joined(separator: "\n") == String(contentsOf: before, encoding: .utf8))
  }

  // MARK: They are run

  private let answerer: TestAnswerer

  init() throws { answerer = try TestAnswerer() }

  /// Runs code while the default authorizer asks this answerer, whose person allows everything.
  private func run<Result: Sendable>(
    _ allowed: [String] = [], _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    for text in allowed {
      let atoms = try CapabilityCatalogue.builtIn.parse(text).atoms
      try answerer.store.decide(
        Ruling(.allow, subject: Subject(label: "backup"), atoms: atoms), by: .commandLine)
    }
    let person = Task { [answerer] in
      for await _ in answerer.slot.pictures {
        guard let alert = answerer.presenter.showing else { continue }
        Issue.record("a person is asked: \(alert.summary)")
        answerer.presenter.answer(.dismissed)
      }
    }
    defer { person.cancel() }
    return try await withDefaultAuthorizer(answerer.authorizer(), body)
  }

  @Test("The page about asking")
  func asking() async throws {
    let values = [
      "photos:add-only", "files:read@/usr/share/", "network:connect@api.example.org:443",
      "commands:run@git push origin main",
    ]
    let answerer = answerer
    let said = try await run(values) {
      try await askLikeThePage(answerer.authorizer(), queue: answerer.queue)
    }
    let expected = [
      "0 pictures", "published", "files:read@/usr/share/", "reading", "reading", "adding allowed",
    ]
    #expect(said == expected)
    #expect(try await run { try await followLikeThePage() } == ["add only", "Thank you.", "true", "granted"])
    let service = try await run { try await useServiceLikeThePage() }
    #expect(service == [answerer.machine.environment.pictures])
    #expect(answerer.presenter.shown.isEmpty)
  }

  @Test("The parts about stores and alerts in a row")
  func stores() async throws {
    chmod(answerer.machine.root, 0o700)
    let path = "\(answerer.machine.root)/permissions.sqlite"
    let store = try SQLiteStore(at: path)
    try store.decide(
      Ruling(.allow, subject: Subject(label: "report"), atoms: [Atom("photos", "read")]), by: .library)
    #expect(try await readStoreLikeThePage(at: path) == ["photos:read allow", "1 undone, 0 wait"])
    let presenter = ScriptedPresenter { _ in .acknowledged }
    let slot = ModalSlot(presenter: presenter, exclusion: answerer.queue.exclusion)
    try await stepLikeThePage(answerer.queue, in: slot)
    #expect(presenter.shown.map(\.summary) == ["One", "Two"])
  }

  @Test("The page about a capability of one's own")
  func printing() async throws {
    answerer.machine.makeFolder("\(answerer.machine.environment.configHome)/printers")
    try answerer.decide(.allow, [Atom("printing", "print")])
    let answerer = answerer
    let said = try await run { try await printLikeThePage(answerer.queue, answerer.authorizer()) }
    #expect(said == ["print allowed"])
    #expect(testLikeThePage() == [true])
    #expect(try requirementsByValue().count == 7)
  }

  @Test("The overviews")
  func overviews() async throws {
    let answerer = answerer
    try await run(["photos:add-only", "files:read@/usr/share/"]) {
      try await askLikeTheOverview(answerer.queue)
    }
    try await run { connectLikeTheOverview() }
  }

  @Test("The page for those who know Operations")
  func fromOperations() async throws {
    let answerer = answerer
    let said = try await run(["calendar:reminders", "photos:read"]) {
      try await useCapabilities(answerer.queue, answerer.authorizer())
        + useAuthorized(answerer.authorizer())
    }
    #expect(said.prefix(4) == ["buy milk", "true", "true", "succeeded"])
    #expect(said[4].hasPrefix("failed"))
    #expect(said.suffix(2) == ["granted", "granted"])
    let presenter = ScriptedPresenter { alert in
      if case .confirmation = alert.content { .confirmed } else { .acknowledged }
    }
    let slot = ModalSlot(presenter: presenter, exclusion: answerer.queue.exclusion)
    #expect(try await showAlerts(answerer.queue, in: slot) == ["deleted", "shown"])
    try answerer.decide(.allow, [Atom("door")])
    #expect(try await answerer.authorizer().authorization(of: Door()).isAllowed)
  }

  @Test("The page about tests")
  func testing() async throws {
    #expect(try await askInATest())
    #expect(try await scriptATest() == .denied(note: "not today"))
    #expect(makeResultsInATest() == ["denied: no", "limited"])
    #expect(await waitInATest(answerer.queue)?.isSuccess == true)
  }
}
