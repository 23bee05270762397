import TerminalTesting
import Testing

@Suite("Without a terminal that can show a screen")
struct RefusedTerminalTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test(
    "the dashboard says what is wrong and what to do",
    arguments: [
      ("", "TERM is not set"), ("xterm-nonesuch", "TERM=xterm-nonesuch is not known on this machine"),
    ])
  func type(term: String, message: String) throws {
    let session = try TerminalSession(home.permtui(environment: ["TERM": term]))
    #expect(try session.waitForEnd() == .exit(code: 2))
    #expect(session.picture.contains(message))
    #expect(session.picture.contains("TERM=xterm-256color permtui"))
    #expect(session.leftovers == [])
  }

  @Test("a pipe gets a message on standard error, nothing on standard output, and code 2")
  func pipe() async throws {
    let run = try await BuiltProgram.run(home: home)
    #expect(run.ending == .exited(2))
    #expect(run.output.isEmpty)
    #expect(run.messages.contains("needs a terminal"))
  }
}
