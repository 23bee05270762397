import Glibc
import TerminalTesting
import Testing

/// Attacks on the rules for prompts, each with an armed request of the demo on the screen that a single key would
/// answer.
@Suite("An armed request", .timeLimit(.minutes(5)))
struct PromptAttackTests {
  private static let request = "reminders asks to"
  private let home: TemporaryFolder
  private var store: String { home.file("demo.sqlite") }

  init() throws { home = try TemporaryFolder() }

  private func armedRequest() throws -> TerminalSession {
    let session = try TerminalSession(
      .permtui(["demo", "--store", store], environment: ["HOME": home.path]))
    try session.expectArmed("Eleven programs start")
    session.press(.enter)
    try session.expectArmed(Self.request)
    return session
  }

  /// Waits until the button is no longer lit, which shows that the input was processed, and then until it is lit again,
  /// after which the input has no further effect.
  private func expectUnanswered(_ session: TerminalSession) throws {
    try session.expectRearmed(Self.request)
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
  }

  @Test(
    "is not answered by what nobody pressed on purpose",
    arguments: [
      ("several keys at once", "ad"), ("keys and Enter at once", "ya\r"), ("a line", "yes\n"),
      ("Alt and a letter", "\u{1b}a"), ("a device report", "\u{1b}[?1;2c"),
      ("a cursor report", "\u{1b}[12;34R"),
      ("a colour report", "\u{1b}]11;rgb:aaaa/aaaa/aaaa\u{7}"), ("a key beside a report", "\u{1b}[0na"),
      ("a key that looks like a letter", "\u{430}"), ("focus reports", "\u{1b}[I\u{1b}[O"),
    ])
  func noise(what: String, bytes: String) throws {
    let session = try armedRequest()
    session.type(bytes)
    try expectUnanswered(session)
  }

  @Test("is not answered by a paste", arguments: ["a", "y", "d\r", "allow\n"])
  func paste(text: String) throws {
    let session = try armedRequest()
    session.paste(text)
    try expectUnanswered(session)
  }

  @Test("cannot be answered in a window that is too small to show it")
  func tooSmall() throws {
    let session = try armedRequest()
    session.resize(columns: 39, rows: 10)
    try session.expect("Too small")
    session.type("a")
    session.resize(columns: 80, rows: 24)
    try session.expectArmed(Self.request)
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
  }

  @Test("must be armed again when the window was resized", arguments: [(60, 15), (120, 40)])
  func resized(columns: Int, rows: Int) throws {
    let session = try armedRequest()
    session.resize(columns: columns, rows: rows)
    try session.expectArmed(Self.request)
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
  }

  @Test("is denied by Enter alone, and allowed only by a key that was pressed for it")
  func enter() async throws {
    let session = try armedRequest()
    session.press(.enter)
    // The next one comes only once the answer is stored.
    try session.expect("photo-import asks to")
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
    let log = try await BuiltProgram.run("log", "--store", store, "--kind", "answered", home: home)
    #expect(log.output.contains("reminders: calendar:reminders, denied"), "\(log.output) \(log.messages)")
  }

  @Test("gives nothing away when the window is closed or the program is ended", arguments: [SIGHUP, SIGTERM])
  func ended(signal: Int32) throws {
    let session = try armedRequest()
    session.signal(signal)
    #expect(try session.waitForEnd() == .exit(code: 128 + signal))
    #expect(session.leftovers == [])
  }

  @Test("stays as it is while the program is stopped, and must be armed again afterwards")
  func stopped() throws {
    let session = try TerminalSession(.permtui(["demo"], environment: ["HOME": home.path]).asJob)
    try session.expectArmed("Eleven programs start")
    session.press(.enter)
    try session.expectArmed(Self.request)
    session.pressControl("z")
    try session.expect("stopped with 148")
    session.press(.enter)
    try session.expectArmed(Self.request)
    session.pressControl("c")
    try session.expect("ended with 130")
    session.press(.enter)
    try session.waitForEnd()
  }
}
