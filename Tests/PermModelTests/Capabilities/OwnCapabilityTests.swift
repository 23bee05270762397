import Operations
import PermModel
import PermModelTesting
import Testing

@testable import OtherPackage

@Suite("A capability of one's own", .timeLimit(.minutes(5)))
struct OwnCapabilityTests {
  @Test("The one in the documentation is the one that is compiled here, in about twenty lines")
  func documentation() throws {
    let code = try #require(
      FileSystem().text(of: "\(repository)/Tests/Support/OtherPackage/Printing.swift"))
    let page = try #require(FileSystem().text(of: "\(repository)/docs/your-own-capability.md"))
    #expect(page.contains("```swift\n\(code)```"))
    #expect(code.split(whereSeparator: \.isNewline).count <= 22)
  }

  @Test("It is asked for, allowed and refused like those that are supplied")
  func works() async throws {
    let answerer = try TestAnswerer()
    let authorizer = answerer.authorizer()
    let unavailable = answerer.queue.add(
      "print", conditions: [AuthorizedFor(Printing(), authorizer: authorizer)]
    ) {
      _ in true
    }
    await #expect(throws: ConditionsFailed.self) { try await unavailable.value }
    answerer.machine.makeFolder("\(answerer.machine.environment.configHome)/printers")
    let handle = answerer.queue.add("print", conditions: [AuthorizedFor(Printing(), authorizer: authorizer)])
    {
      _ in "printed"
    }
    #expect(await answerer.presenter.nextRequest()?.action == "print on your printers")
    answerer.presenter.answer(.allow, .forever)
    #expect(try await handle.value == "printed")
    let manage = try await answerer.queue.add(
      GetAuthorizationStatus(Printing("manage"), authorizer: authorizer)
    ).value
    #expect(manage.status[Atom("printing", "print")] == .allowed)
    #expect(manage.status[Atom("printing", "manage")] == .undecided)
  }

  private var repository: String {
    #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
  }
}
