import Foundation
import Glibc
import TerminalTesting
import Testing

/// Tests of the dashboard's use of the terminal, with the built program in a window of its own.
@Suite("In a terminal, the dashboard")
struct TerminalBehaviourTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test("gives the terminal back on q")
  func quitting() throws {
    let session = try home.dashboard()
    #expect(session.showsAlternateScreen)
    #expect(!session.isRestored)
    session.type("q")
    #expect(try session.waitForEnd() == .exit(code: 0))
    #expect(session.leftovers == [])
  }

  @Test("ends on ^C with the code of an interrupted program")
  func interrupting() throws {
    let session = try home.dashboard()
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
    #expect(session.leftovers == [])
  }

  @Test(
    "ends on a signal with its code, and the terminal is whole",
    arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130), (SIGQUIT, 131)] as [(Int32, Int32)])
  func ending(signal: Int32, code: Int32) throws {
    let session = try home.dashboard()
    session.signal(signal)
    #expect(try session.waitForEnd() == .exit(code: code))
    #expect(session.leftovers == [])
  }

  @Test("ends on a signal also while its terminal takes nothing")
  func stalled() throws {
    let session = try home.dashboard()
    try session.stopOutput()
    session.type("?")
    session.signal(SIGTERM)
    #expect(try session.waitForEndUnread() == .exit(code: 143))
  }

  @Test("ends when its window is closed")
  func hangUp() throws {
    let session = try home.dashboard()
    session.hangUp()
    #expect(try session.waitForEnd() == .exit(code: 129))
  }

  @Test("ends when its window is closed and nobody tells it", .timeLimit(.minutes(5)))
  func silentHangUp() throws {
    // The shell ignores SIGHUP and passes that on, as nohup does.
    let permtui = home.permtui()
    let program = TestedProgram(
      path: "/bin/bash", arguments: ["--norc", "-c", "trap '' HUP; \"$@\"; exit $?", "nohup", permtui.path],
      environment: permtui.environment)
    let session = try TerminalSession(program)
    try session.expect("PermTUI")
    session.hangUp()
    #expect(try session.waitForEnd() == .exit(code: 129))
  }

  @Test("stops on ^Z, gives the shell its terminal, and comes back whole in the window's new size")
  func stopping() throws {
    let session = try TerminalSession(home.permtui().asJob)
    try session.expect("PermTUI")
    session.pressControl("z")
    try session.expect("stopped with 148")
    #expect(session.leftovers == [])
    session.resize(columns: 100, rows: 30)
    session.press(.enter)
    try session.expect("PermTUI")
    try session.expect("the screen in use") { _ in session.showsAlternateScreen }
    session.type("q")
    try session.expect("ended with 0")
    #expect(session.leftovers == [])
    session.press(.enter)
    try session.waitForEnd()
  }

  /// Returns a dashboard that was stopped by a signal, and has redrawn everything.
  private func dashboardAfterStop(typing keys: String = "") throws -> TerminalSession {
    let session = try home.dashboard()
    session.stop()
    // Only a full repaint removes this, because the program does not know of it.
    try session.scribble("\u{1b}[1;1HSCRIBBLE")
    try session.expect("SCRIBBLE")
    session.type(keys)
    session.signal(SIGCONT)
    try session.expectGone("SCRIBBLE")
    return session
  }

  @Test("comes back after being stopped without being asked")
  func stoppedFromOutside() throws {
    let session = try dashboardAfterStop()
    // Keys pressed while it was stopped are not for it; these come once it has redrawn everything.
    session.type("?")
    try session.expect("Help")
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
    #expect(session.leftovers == [])
  }

  @Test("ends on a signal also when the keys of a stop were thrown away")
  func stoppedWithKeys() throws {
    let session = try dashboardAfterStop(typing: "j")
    session.signal(SIGTERM)
    #expect(try session.waitForEnd() == .exit(code: 143))
    #expect(session.leftovers == [])
  }

  @Test("takes the size of its window", arguments: [(40, 10), (60, 15), (120, 40), (200, 60)])
  func resizing(columns: Int, rows: Int) throws {
    let session = try home.dashboard()
    let before = session.picture
    session.resize(columns: columns, rows: rows)
    try session.expect("a frame of \(columns)×\(rows)") { picture in
      picture.rows.count == rows && picture.lines.first?.contains("PermTUI") == true && picture != before
        && picture.lines.last?.isEmpty == false
    }
  }

  @Test("says what is wrong with a window that is too small, and works again in a larger one")
  func tooSmall() throws {
    let session = try TerminalSession(home.permtui(), columns: 39, rows: 10)
    try session.expect("Too small: 39×10, needs 40×10")
    session.resize(columns: 80, rows: 24)
    try session.expect("PermTUI")
    session.resize(columns: 80, rows: 9)
    try session.expect("Too small")
    session.type("q")
    #expect(try session.waitForEnd() == .exit(code: 0))
  }

  @Test("uses ASCII alone in a locale without UTF-8")
  func withoutUTF8() throws {
    let session = try home.dashboard(environment: ["LANG": "C"])
    let foreign = session.picture.text.unicodeScalars.filter { !$0.isASCII }
    #expect(foreign.isEmpty)
  }

  @Test("uses no colours with NO_COLOR")
  func withoutColors() throws {
    let session = try home.dashboard(environment: ["NO_COLOR": "1"])
    let styles = session.picture.rows.joined().map(\.style)
    #expect(styles.allSatisfy { !$0.contains("fg=") && !$0.contains("bg=") })
  }

  @Test("answers nothing that was typed ahead, and takes it all in at once")
  func typeAhead() throws {
    let session = try TerminalSession(home.permtui())
    session.type("jjjjjjjjjjjjjjjjjj?")
    try session.expect("Help")
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
  }

  @Test("takes no paste for keys")
  func pasting() throws {
    let session = try home.dashboard()
    session.paste("q\u{3}q")
    session.type("?")
    try session.expect("Help")
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
  }

  @Test(
    "gives the terminal back when it crashes", arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP])
  func crashing(signal: Int32) throws {
    let session = try home.dashboard()
    session.signal(signal)
    #expect(try session.waitForEnd() == .signal(signal))
    #expect(session.leftovers == [])
  }
}
