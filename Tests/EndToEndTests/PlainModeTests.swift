import Foundation
import Glibc
import TerminalTesting
import Testing

/// The dashboard line by line, with the built program on a dumb terminal.
@Suite("On a dumb terminal", .timeLimit(.minutes(5)))
struct PlainModeTests {
  private static let request = "reminders asks to"
  private let home: TemporaryFolder
  private var store: String { "\(home.path)/demo.sqlite" }

  init() throws { home = try TemporaryFolder() }

  private func demo(_ environment: [String: String] = [:]) throws -> TerminalSession {
    let program = home.permtui(
      ["demo", "--store", store],
      environment: ["TERM": "dumb"].merging(environment) { $1 })
    return try TerminalSession(program, columns: 120, rows: 300)
  }

  /// Starts the demo up to its first request, which the next line answers.
  private func demoAtRequest(_ environment: [String: String] = [:]) throws -> TerminalSession {
    let session = try demo(environment)
    try session.expectAnswer(to: "Eleven programs start")
    session.type("ok\n")
    try session.expectAnswer(to: Self.request)
    return session
  }

  private func decided() async throws -> String {
    try await BuiltProgram.run("status", "--store", store, home: home).output
  }

  private func expectNothingDecided() async throws {
    let status = try await decided()
    #expect(!status.contains("reminders"), "\(status)")
  }

  @Test("the demo is a dialogue without a single escape sequence")
  func dialogue() async throws {
    let session = try demoAtRequest()
    session.type("yes\n")
    try session.expectAnswer(to: "An empty line shows the request again.")
    session.type("allow 6\n")
    try session.expect("Allowed forever: calendar: reminders for reminders. The word undo takes it back.")
    try session.expectAnswer(to: "photo-import asks to")
    session.type("deny\n")
    try session.expectAnswer(to: "fitness asks to")
    session.type("later\n")
    try session.expectAnswer(to: "backup asks to")
    #expect(session.picture.contains("Under this name you knew another program: "))
    session.type("quit\n")
    #expect(try session.waitForEnd() == .exit(code: 0))
    #expect(session.escapeCount == 0)
    #expect(session.leftovers == [])
    let status = try await decided()
    #expect(status.contains("reminders"), "\(status)")
    #expect(!status.contains("photo-import"), "\(status)")
  }

  @Test("a line typed before the program asked does not answer it")
  func typeAhead() throws {
    let session = try demo()
    session.type("ok\n")
    try session.expectAnswer(to: "Eleven programs start")
    session.press(.enter)
    // Enter shows it again, because it is still open.
    try session.expect("the notice twice") { picture in
      picture.lines.count { $0.contains("Eleven programs start") } == 2
    }
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
  }

  @Test("^D at a request answers nothing")
  func endOfInput() async throws {
    let session = try demoAtRequest()
    session.pressControl("d")
    #expect(try session.waitForEnd() == .exit(code: 0))
    #expect(session.leftovers == [])
    try await expectNothingDecided()
  }

  @Test("^C over a half-typed answer answers nothing")
  func interrupt() async throws {
    let session = try demoAtRequest()
    session.type("allo")
    try session.expect("Answer: allo")
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
    #expect(session.leftovers == [])
    try await expectNothingDecided()
  }

  @Test("a hang-up answers nothing")
  func hangUp() async throws {
    let session = try demoAtRequest()
    session.type("allow")
    try session.expect("Answer: allow")
    session.hangUp()
    #expect(try session.waitForEnd() == .exit(code: 129))
    try await expectNothingDecided()
  }

  @Test("SIGTERM answers nothing, and the terminal is whole")
  func terminated() async throws {
    let session = try demoAtRequest()
    session.signal(SIGTERM)
    #expect(try session.waitForEnd() == .exit(code: 143))
    #expect(session.leftovers == [])
    try await expectNothingDecided()
  }

  @Test("SIGTERM ends it also while its terminal takes nothing")
  func stalled() throws {
    let session = try demoAtRequest()
    try session.stopOutput()
    session.type("allow\n")
    session.signal(SIGTERM)
    #expect(try session.waitForEndUnread() == .exit(code: 143))
  }

  @Test("^Z gives the shell its terminal, and the answer goes on afterwards")
  func stopped() throws {
    let program = home.permtui(["demo", "--store", store], environment: ["TERM": "dumb"]).asJob
    let session = try TerminalSession(program, columns: 120, rows: 300)
    try session.expectAnswer(to: "Eleven programs start")
    session.pressControl("z")
    try session.expect("stopped with 148")
    #expect(session.leftovers == [])
    session.press(.enter)
    try session.expectAnswer(to: "stopped with 148")
    session.type("ok\n")
    try session.expectAnswer(to: Self.request)
    session.pressControl("c")
    try session.expect("ended with 130")
    session.press(.enter)
    try session.waitForEnd()
  }

  @Test("without UTF-8 every byte is ASCII")
  func withoutUTF8() throws {
    let session = try demoAtRequest(["LANG": "C"])
    session.type("help\n")
    try session.expectAnswer(to: "An empty line repeats the alert.")
    session.type("quit\n")
    try session.waitForEnd()
    #expect(session.picture.text.unicodeScalars.allSatisfy { $0.isASCII })
    #expect(session.escapeCount == 0)
  }

  @Test("a program in another shell is answered, and a change made there is told")
  func broker() async throws {
    try FileManager.default.createDirectory(atPath: home.file("Pictures"), withIntermediateDirectories: true)
    let session = try TerminalSession(
      home.permtui(["--plain"], environment: ["TERM": "vt100"]), columns: 120, rows: 300)
    try session.expect("Programs: listening.")
    let home = home
    let asking = Task { try await BuiltProgram.run("request", "photos", "--as", "backup", home: home) }
    try session.expectAnswer(to: "backup asks to")
    session.type("allow 6\n")
    #expect(try await asking.value.ending == .exited(0))
    _ = try await BuiltProgram.run("deny", "tracker", "camera", home: home)
    try session.expect("by a command: camera for tracker, denied forever")
    session.type("quit\n")
    #expect(try session.waitForEnd() == .exit(code: 0))
    #expect(session.escapeCount == 0)
  }

  @Test("input from a pipe is refused, as nobody typed it")
  func pipe() async throws {
    let run = try await BuiltProgram.run("--plain", home: home)
    #expect(run.ending == .exited(2))
    #expect(run.messages.contains("standard input is not one"))
  }
}

extension TerminalSession {
  /// Waits until an alert has been printed and the next line answers it.
  func expectAnswer(to text: String) throws {
    try expect("'\(text)' to answer") { picture in
      let lines = picture.lines.filter { !$0.isEmpty }
      return picture.contains(text) && lines.last?.split(separator: " ") == ["Answer:"]
    }
  }
}
