import PermModel
import Testing

@testable import Machine
@testable import PermBroker

@Suite("The costs of values as they were found")
struct FoundCostsTests {
  private let place: PathPlace

  init() throws { place = try PathPlace() }

  /// Looks up short links, each of which leads to another file in a folder.
  private func find(_ count: Int, in folder: String) async throws -> ResolvedValues {
    try place.folder(folder)
    var asked = AskedValues(capability: "files")
    for number in 1...count {
      try place.file("\(folder)/\(number)")
      try place.link("\(number)", to: "\(folder)/\(number)")
      asked.add(place.read("\(number)"))
    }
    try asked.checkDepth()
    return try await find(asked)
  }

  private func find(_ asked: AskedValues) async throws -> ResolvedValues {
    let finder = ValueResolver(resolver: PathResolver(patience: .seconds(20)), home: "/home/ana")
    let found = try await finder.resolve(asked, by: TestBroker.program("/x").peer, in: nil)
    try found.checkLength()
    return found
  }

  private func path(_ count: Int, _ name: String) -> String {
    Array(repeating: name, count: count).joined(separator: "/")
  }

  @Test("Links may lead to folders of a usual depth")
  func usual() async throws {
    #expect(try await find(32, in: path(20, "folder")).atoms.count == 32)
  }

  @Test("Short links to deep paths are refused, since each folder is looked up")
  func deep() async throws {
    let error = await #expect(throws: LookupRefused.self) { try await find(32, in: path(70, "d")) }
    #expect("\(error as Any)".contains("parts; at most 2048 are allowed"))
  }

  @Test("Short links to long paths are refused, since an answer has to fit into a message")
  func long() async throws {
    let name = String(repeating: "n", count: 200)
    let error = await #expect(throws: BrokerError.self) { try await find(20, in: path(17, name)) }
    #expect("\(error as Any)".contains("bytes in a message; at most 57344 are allowed"))
  }

  @Test("Values without paths have to fit into a message, too")
  func lines() async throws {
    func asked(_ count: Int) -> AskedValues {
      var asked = AskedValues(capability: "commands")
      for number in 1...count {
        asked.add(Atom("commands", "run", .command("\(number) " + String(repeating: "a", count: 8000))))
      }
      return asked
    }
    #expect(try await find(asked(6)).atoms.count == 6)
    await #expect(throws: BrokerError.self) { try await find(asked(8)) }
  }
}
