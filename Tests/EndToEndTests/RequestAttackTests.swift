import Foundation
import Glibc
import TerminalTesting
import Testing

/// Attacks on the rules for prompts by programs that really ask, each from a terminal of its own.
@Suite("A request from another terminal", .timeLimit(.minutes(5)))
struct RequestAttackTests {
  private let home: TemporaryFolder
  private var environment: [String: String] {
    ["XDG_RUNTIME_DIR": home.path, "XDG_CONFIG_HOME": home.path, "XDG_STATE_HOME": home.path]
  }

  init() throws {
    home = try TemporaryFolder()
    let folder = home.file("permtui")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let configuration = """
      [capability.album]
      title = "Album"
      description = "the album of the family"

      [capability.diary]
      title = "Diary"
      description = "what was written every day"
      """
    try configuration.write(toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
  }

  private func dashboard(columns: Int = 80, rows: Int = 24) throws -> TerminalSession {
    let session = try home.dashboard(columns: columns, rows: rows, environment: environment)
    try session.expect("listening")
    return session
  }

  private func ask(_ arguments: String...) throws -> TerminalSession {
    try TerminalSession(home.permtui(["request"] + arguments, environment: environment))
  }

  /// Returns a dashboard with a request that a single key would answer, and the asking program.
  private func dashboardWithRequest() throws -> (dashboard: TerminalSession, program: TerminalSession) {
    let session = try dashboard()
    let program = try ask("album", "--as", "frame")
    try session.expectArmed("frame asks to")
    return (session, program)
  }

  /// Returns the decisions as the command line lists them.
  private func decided() async throws -> String {
    try await BuiltProgram.run("status", home: home, environment: environment).output
  }

  private func quit(_ session: TerminalSession) throws {
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
    #expect(session.leftovers == [])
  }

  @Test("is answered on the dashboard, and its program is told")
  func answered() throws {
    let (session, program) = try dashboardWithRequest()
    session.type("a")
    #expect(try program.waitForEnd() == .exit(code: 0))
    try quit(session)
  }

  @Test("never covers, moves or replaces the alert that is being read")
  func arrivingLater() throws {
    let session = try dashboard()
    let first = try ask("album", "--as", "frame", "--reason", "to show it")
    try session.expectArmed("frame asks to")
    // The part below the header, which has a count, and above the line that names the next one.
    let read = session.picture.lines.dropFirst().prefix { !$0.contains("└") }
    let second = try ask("diary", "--as", "snoop")
    try session.expect("diary for snoop")
    #expect(session.picture.lines.dropFirst().prefix { !$0.contains("└") }.elementsEqual(read))
    session.type("d")
    #expect(try first.waitForEnd() == .exit(code: 1))
    try session.expectArmed("snoop asks to")
    session.type("d")
    #expect(try second.waitForEnd() == .exit(code: 1))
    try quit(session)
  }

  @Test("stays to be read when its program has died, and cannot be answered")
  func diedBefore() async throws {
    let (session, program) = try dashboardWithRequest()
    program.signal(SIGKILL)
    try session.expect("Withdrawn")
    session.type("6")
    session.type("a")
    session.press(.escape)
    try session.expectGone("Withdrawn")
    #expect(try await !decided().contains("frame"))
    try quit(session)
  }

  @Test("keeps no answer if its program dies as the key is pressed, whichever was first")
  func diesMeanwhile() async throws {
    let (session, program) = try dashboardWithRequest()
    program.signal(SIGKILL)
    session.type("a")
    try program.waitForEnd()
    // Either form may come first: one that says so, or none.
    try session.expect("the end of the request") { !$0.contains("frame asks to") || $0.contains("Withdrawn") }
    #expect(try await !decided().contains("frame"))
    try quit(session)
  }

  @Test(
    "with hostile text shows it escaped, inside its frame",
    arguments: [
      ("an escape", "\u{1b}]2;owned\u{7}\u{1b}[2J\u{1b}[Hyes", "\\u{1b}[2J"),
      ("a turned direction", "\u{202e}wolla\u{202c}", "\\u{202e}wolla"),
      ("what has no width", "al\u{200b}low\u{2060}", "al\\u{200b}low"),
      ("a storm of marks", "z\u{335}\u{336}\u{337}\u{338}\u{334}\u{335}\u{336}\u{337}\u{338}a", "\\u{"),
      ("a form of its own", "x\n│ [ Allow ]  is safe\n└──────┘", "\\n"),
      ("more than a line", String(repeating: "very long ", count: 27), "very long very long"),
    ])
  func hostile(what: String, reason: String, shown: String) throws {
    for (columns, rows) in [(80, 24), (60, 15)] {
      let session = try dashboard(columns: columns, rows: rows)
      let program = try ask("album", "--as", "frame", "--reason", reason)
      try session.expectArmed("frame asks to")
      // On a small screen the reason is reached by scrolling.
      if !session.picture.contains(shown) { session.press(.pageDown) }
      try session.expect(shown)
      let inside = session.picture.lines.filter { $0.hasPrefix("│") }
      #expect(inside.count > 5)
      #expect(inside.allSatisfy { $0.hasSuffix("│") }, "\(session.picture.text)")
      #expect(!session.title.contains("owned"))
      try session.expectArmed("frame asks to")
      session.type("d")
      try program.waitForEnd()
      try quit(session)
    }
  }
}
