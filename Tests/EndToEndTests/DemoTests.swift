import TerminalTesting
import Testing

/// Plays the demo in a real terminal, by keyboard.
@Suite("The demo, in a terminal")
struct DemoTests {
  private let home: TemporaryFolder
  private var store: String { "\(home.path)/demo.sqlite" }

  init() throws { home = try TemporaryFolder() }

  @Test(
    "It can be played through: one alert at a time, and the answers are in the store", .timeLimit(.minutes(5))
  )
  func playedThrough() async throws {
    let session = try start()
    try session.expectArmed("Eleven programs start")
    session.press(.enter)

    try session.expectArmed("reminders asks to")
    session.type("6")
    try session.expect("(6) forever")
    try session.expectArmed("reminders asks to")
    session.type("a")

    try session.expectArmed("photo-import asks to")
    #expect(session.picture.contains("~/bin/photo-import.sh"), "\(session.picture)")
    session.press(.enter)
    try session.expectArmed("fitness asks to")
    session.press(.escape)
    try session.answerTheRest([
      "backup asks to", "Delete 12 albums?", "video-chat asks to use your camera", "tracker asks to",
      "src/app asks to run a command", "report.ts asks to read a file",
      "video-chat asks to use your microphone",
    ])

    session.type("w")
    try session.expect("nothing but the report waiting") {
      $0.contains("1 waiting") && $0.contains("> health")
    }
    session.press(.enter)
    try session.expectArmed("fitness asks to")
    session.type("d")
    // The end comes up in whatever view one is, also over the list of waiting requests.
    try session.expectArmed("The story is over")
    #expect(session.picture.contains("permtui request commands:run@'git push origin main'"))
    #expect(session.picture.contains("photos not allowed, so cloud was never asked"))
    session.press(.enter)
    try session.expectGone("The story is over")
    session.type("q")
    try session.expect("Who may use it")
    session.type("q")
    #expect(try session.waitForEnd() == .exit(code: 0))
    #expect(session.leftovers == [])
    #expect(session.picture.contains("reminders"))

    let status = try await BuiltProgram.run("status", "--store", store, home: home)
    #expect(status.output.contains("reminders"), "\(status.output)")
    #expect(!status.output.contains("photo-import"), "\(status.output)")
    let log = try await BuiltProgram.run("log", "--store", store, home: home)
    #expect(log.output.contains("photo-import"), "\(log.output)")
  }

  @Test("Keys pressed before an alert is armed answer nothing", .timeLimit(.minutes(5)))
  func typeAhead() async throws {
    // This is long enough for the keys to come before the alert is armed on any machine.
    try home.configure("[prompt]\nslow = 5\n")
    let session = try start()
    try session.expectArmed("Eleven programs start")
    session.press(.enter)
    try session.expectGone("Eleven programs start")
    try session.expect("reminders asks to")
    // The keys are typed as the request appears, and a little later.
    session.type("ay")
    try session.expect("Not yet")
    session.type("a")
    try session.expectArmed("reminders asks to")
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
    #expect(session.leftovers == [])
    let status = try await BuiltProgram.run("status", "--store", store, home: home)
    #expect(!status.output.contains("reminders"), "\(status.output)")
  }

  @Test("It can be played at 60 by 15", .timeLimit(.minutes(5)))
  func small() throws {
    let session = try start(columns: 60, rows: 15)
    try session.expectArmed("Eleven programs start")
    session.press(.enter)
    // Allow works only when all the facts have been on the screen for as long as arming takes.
    try session.expectArmed("reminders asks to")
    session.press(.pageDown)
    try session.expect("Keeps")
    session.type("z")
    try session.expectRearmed("reminders asks to")
    try session.expect("Keeps")
    try session.expectGone("to allow")
    try session.expectArmed("reminders asks to")
    session.type("a")
    try session.expect("photo-import asks to")
    session.pressControl("c")
    #expect(try session.waitForEnd() == .exit(code: 130))
    let report = session.picture.lines.drop { !$0.contains("  ran  ") }.filter { !$0.isEmpty }
    #expect(
      report.allSatisfy { $0.hasPrefix("    ") || $0.contains("  ran  ") || $0.contains("  did not  ") },
      "A line is broken inside a word, or not indented: \(session.picture.text)")
    #expect(report.contains { $0.hasPrefix("    ") })
  }

  private func start(
    columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> TerminalSession {
    try TerminalSession(
      .permtui(
        ["demo", "--store", store],
        environment: environment.merging(["HOME": home.path]) { $1 }),
      columns: columns, rows: rows, patience: .seconds(30))
  }
}

extension TerminalSession {
  /// Waits until an alert that shows `text` has appeared and its answering keys work; it must be the only one.
  func expectArmed(_ text: String) throws {
    // The bar distinguishes the alert from the line below it, which names the next ones.
    try expect("an armed alert with '\(text)'") { $0.contains("│  \(text)") && $0.isArmed }
    #expect(picture.frames == 1, "more than one alert in\n\(picture.text)")
  }

  /// Waits until answering keys stop working, and work again.
  func expectRearmed(_ text: String) throws {
    try expect("an alert with '\(text)' that is not armed") { $0.contains("│  \(text)") && !$0.isArmed }
    try expectArmed(text)
  }

  /// Denies these alerts in whatever order they come.
  fileprivate func answerTheRest(_ alerts: [String]) throws {
    var open = alerts
    while !open.isEmpty {
      try expect("one of \(open), armed") { picture in
        picture.isArmed && open.contains(where: picture.hasLine)
      }
      guard let index = open.firstIndex(where: picture.hasLine) else { return }
      let answered = open.remove(at: index)
      if answered.hasPrefix("backup") { #expect(picture.contains("! another program")) }
      // The camera is allowed, so that the microphone is asked about.
      type(answered.hasSuffix("camera") ? "a" : "d")
      try expectGone(answered)
    }
  }
}

extension ScreenPicture {
  /// Whether a line of an alert contains a text.
  fileprivate func hasLine(_ text: String) -> Bool {
    self.text.split(separator: "\n").contains { $0.contains("│  ") && $0.contains(text) }
  }

  /// Whether the button in focus answers: it is then in reverse.
  var isArmed: Bool {
    rows.contains { row in
      row.indices.contains { row[$0].text == "[" && row[$0].style.contains("reverse") }
    }
  }

  /// The number of alerts on the screen.
  fileprivate var frames: Int {
    lines.count { $0.contains("┌─") }
  }
}
