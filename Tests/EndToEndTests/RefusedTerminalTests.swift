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
    #expect(session.picture.contains("Set TERM=xterm-256color"))
    #expect(session.leftovers == [])
  }

  @Test("if no terminal is described, the advice names the package, and plain mode works", .needs("bwrap"))
  func nothingDescribed() async throws {
    guard let dashboard = try await undescribed(["demo"]) else { return }
    let session = try TerminalSession(dashboard)
    #expect(try session.waitForEnd() == .exit(code: 2))
    #expect(session.picture.contains("ncurses-base"), "\(session.picture)")
    #expect(!session.picture.contains("Set TERM="), "\(session.picture)")
    let doctor = try TerminalSession(#require(try await undescribed(["doctor"])))
    #expect(try doctor.waitForEnd() == .exit(code: 2))
    #expect(doctor.picture.contains("problem  TERM=xterm is not known"), "\(doctor.picture)")
    #expect(doctor.picture.contains("ncurses-base"), "\(doctor.picture)")
    let plain = try TerminalSession(#require(try await undescribed(["--plain"])))
    try plain.expect("Programs: listening.")
  }

  /// Returns the program on a machine without terminfo; nil if no sandbox can be made here.
  private func undescribed(_ arguments: [String]) async throws -> TestedProgram? {
    let folders = ["/usr/share/terminfo", "/usr/lib/terminfo", "/etc/terminfo"]
      .filter { FileManager.default.fileExists(atPath: $0) }
    let machine = ["--dev-bind", "/", "/"] + folders.flatMap { ["--tmpfs", $0] }
    let trial = try await ProcessRun.run("/usr/bin/bwrap", machine + ["true"])
    guard trial.ending == .exited(0) else { return nil }
    return TestedProgram(
      path: "/usr/bin/bwrap", arguments: machine + [BuiltProgram.path] + arguments,
      environment: ["HOME": home.path, "TERM": "xterm"])
  }

  @Test(
    "the doctor calls that a problem, with the same advice",
    arguments: [("xterm-nonesuch", "TERM=xterm-nonesuch is not known"), ("", "TERM is not set")])
  func doctor(type: String, problem: String) throws {
    let session = try TerminalSession(home.permtui(["doctor"], environment: ["TERM": type]))
    #expect(try session.waitForEnd() == .exit(code: 2))
    #expect(session.picture.contains("problem  \(problem)"), "\(session.picture)")
    #expect(session.picture.contains("Set TERM=xterm-256color"), "\(session.picture)")
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
