import Glibc
import PermModel
import Testing

@testable import OtherPackage

@Suite("A program in another package, with a capability, a presenter and a service of its own")
struct OtherPackageTests {
  private let machine: TestMachine

  init() throws {
    machine = try TestMachine()
    machine.makeFolder("\(machine.environment.configHome)/printers")
    chmod(machine.root, 0o700)
  }

  private func program(answering answers: [Verdict], store: String? = nil) throws -> OwnProgram {
    try OwnProgram(home: machine.environment.home, answers: answers, store: store)
  }

  @Test(
    "asks through a condition, shows who asks and why, and runs after a yes", arguments: [nil, "store.db"])
  func asks(_ store: String?) async throws {
    let program = try program(answering: [.allow], store: store.map { "\(machine.root)/\($0)" })
    #expect(try await program.print() == "printed")
    #expect(program.presenter.seen == ["report asks to print on your printers: the monthly report"])
  }

  @Test("does not run after a no")
  func denied() async throws {
    let program = try program(answering: [.deny])
    await #expect(throws: ConditionsFailed.self) { try await program.print() }
  }

  @Test("gets its service once it is allowed, and sees the status change")
  func service() async throws {
    let program = try program(answering: [.allow])
    let instances = AuthorizedInstances(program.authorizer)
    async let states = program.untilAllowed()
    let (outcomes, outcome) = AsyncStream.makeStream(of: PrintQueue?.self)
    guard
      case .waiting = try await instances.instance(of: PrintQueue.self, whenAnswered: { outcome.yield($0) })
    else {
      Issue.record("the person was not asked")
      return
    }
    var iterator = outcomes.makeAsyncIterator()
    #expect(await iterator.next() as? PrintQueue != nil)
    #expect(await states.last?.contains("print allowed") == true)
  }

  @Test("finds its capability in a catalogue")
  func catalogue() {
    #expect(Printing.catalogue["printing"]?.definition.title == "Printing")
    #expect(Printing.catalogue["photos"] != nil)
  }
}
