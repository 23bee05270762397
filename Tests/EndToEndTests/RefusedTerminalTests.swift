import Foundation
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

  @Test("a terminal type that cannot place the cursor is refused, and the mode put back")
  func glass() async throws {
    let source = home.file("glass.ti")
    try "permtui-glass|a printer with a screen, am, bel=^G, cols#80, cr=\\r, cud1=\\n, ind=\\n,\n".write(
      toFile: source, atomically: true, encoding: .utf8)
    let compiled = try await ProcessRun.run("/usr/bin/tic", ["-o", home.file("terminfo"), source])
    try #require(compiled.ending == .exited(0))
    let session = try TerminalSession(
      home.permtui(environment: ["TERM": "permtui-glass", "TERMINFO": home.file("terminfo")]))
    #expect(try session.waitForEnd() == .exit(code: 2))
    #expect(session.picture.contains("TERM=permtui-glass cannot show a screen"))
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
