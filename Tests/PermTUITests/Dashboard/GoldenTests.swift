import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The screen")
struct GoldenTests {
  static let sizes = [(40, 10), (60, 15), (80, 24), (120, 40), (200, 60)]

  private func check(_ story: Story, _ name: String) throws {
    try Golden.check(story.grid.picture, "\(name)/\(story.state.size.width)x\(story.state.size.height)")
  }

  @Test("shows every capability with who may use it", arguments: sizes)
  func capabilities(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.present(Samples.alert(label: "report.py"))
    story.wait(1_200)
    story.press(.escape)
    try check(story, "capabilities")
  }

  @Test("explains in one line that it is too small", arguments: [(39, 24), (80, 9), (30, 5), (12, 2)])
  func tooSmall(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.show(Samples.alert())
    try check(story, "too-small")
  }

  @Test("shows a request with all its facts", arguments: sizes)
  func request(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.show(Samples.alert())
    try check(story, "request")
  }

  @Test("shows a confirmation", arguments: sizes)
  func confirmation(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.show(Samples.confirmation)
    try check(story, "confirmation")
  }

  @Test("shows a notice", arguments: sizes)
  func notice(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.show(Samples.notice)
    try check(story, "notice")
  }

  @Test("shows a request of an impostor with hostile text", arguments: sizes)
  func hostile(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.show(Samples.hostileAlert)
    try check(story, "hostile")
  }

  @Test("says that a request was withdrawn", arguments: sizes)
  func withdrawn(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.show(Samples.alert())
    story.withdraw(Samples.alert().id)
    story.wait(1_000)
    try check(story, "withdrawn")
  }

  @Test("asks for a typed word where a wrong yes does great harm", arguments: sizes)
  func typedWord(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.show(Samples.alert(severity: .severe))
    story.strike(.pageDown, .pageDown, .pageDown, "6", "a", "p", "h")
    try check(story, "typed-word")
  }

  @Test("shows one capability, its decisions and what its example found", arguments: sizes)
  func capability(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.press(.enter, "j")
    story.happen(.exampleEnded(capability: "photos", .done(["1 204 pictures", "the newest: beach.jpg"])))
    try check(story, "capability")
  }

  @Test("shows the form in which a decision is changed", arguments: sizes)
  func change(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.press(.enter, "j", .enter)
    story.wait(1_000)
    try check(story, "change")
  }

  @Test("shows what waits", arguments: sizes)
  func waiting(width: Int, height: Int) throws {
    var story = Story(width: width, height: height, data: Samples.data(waiting: Samples.queue))
    story.show(Samples.alert(label: "report.py"))
    story.press(.escape, "w")
    try check(story, "waiting")
  }

  @Test("shows its keys", arguments: sizes)
  func help(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.press("?")
    try check(story, "help")
  }

  @Test("filters as one types, with counts", arguments: sizes)
  func filter(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.press("/", "c", "a")
    try check(story, "filter")
  }

  @Test("says on the first start what to do", arguments: sizes)
  func firstStart(width: Int, height: Int) throws {
    let story = Story(width: width, height: height, data: Samples.firstStart)
    try check(story, "first-start")
  }

  @Test(
    "marks what others changed until it was seen, and shows both banners over everything", arguments: sizes)
  func marksAndBanners(width: Int, height: Int) throws {
    var story = Story(width: width, height: height, isDemo: true)
    var data = Samples.data(
      decisions: Samples.decisions + [
        Samples.decision(
          "ci.sh", Atom("photos", "read"), .deny, origin: .commandLine, at: Story.start + .seconds(1)),
        Samples.decision(
          "khal-sync", Atom("location", "always"), .allow, Samples.until(Story.start + .seconds(30)),
          origin: .rule("cron"), at: Story.start + .seconds(1)),
      ], waiting: Samples.waiting.map(Samples.item))
    data.panicSince = Samples.today(14, 2)
    story.happen(.changed(data))
    story.happen(
      .noticed([
        Samples.news("ci.sh", "photos", .commandLine), Samples.news("khal-sync", "location", .rule("cron")),
      ]))
    story.wait(2_000)
    try check(story, "marks-and-banners")
  }

  @Test("shows programs", arguments: sizes)
  func programs(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.press("p", "j")
    try check(story, "programs")
  }

  @Test("shows one program", arguments: sizes)
  func program(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.press("p", .enter)
    try check(story, "program")
  }

  @Test("shows programs against capabilities", arguments: sizes)
  func matrix(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.press("m", .right, .right, .right, .right, .right, .right)
    try check(story, "matrix")
  }

  @Test("shows what waits for what", arguments: sizes)
  func operations(width: Int, height: Int) throws {
    var data = Samples.data
    data.operations = Samples.operations
    var story = Story(width: width, height: height, data: data)
    story.press("o", "j")
    try check(story, "operations")
  }

  @Test("shows what happened", arguments: sizes)
  func journal(width: Int, height: Int) throws {
    var data = Samples.data
    data.journal = Samples.journal
    var story = Story(width: width, height: height, data: data)
    story.press("l")
    try check(story, "journal")
  }
}

@Suite("An alert about values")
struct ValueGoldenTests {
  private static let sizes = [(40, 10), (60, 15), (80, 24), (120, 40), (200, 60)]
  private static let alerts = [
    "command": Samples.commandAlert, "details": Samples.changeAlert, "link": Samples.linkAlert,
    "often": Samples.oftenAlert,
  ]

  private func story(_ name: String, _ width: Int, _ height: Int) throws -> Story {
    var story = Story(width: width, height: height, data: Samples.data(decisions: []))
    story.show(try #require(Self.alerts[name]))
    return story
  }

  @Test("shows them with what an answer covers", arguments: alerts.keys.sorted(), sizes)
  func values(name: String, size: (Int, Int)) throws {
    let story = try story(name, size.0, size.1)
    try Golden.check(story.grid.picture, "values/\(name)-\(size.0)x\(size.1)")
  }

  @Test("says the same without colours", arguments: alerts.keys.sorted())
  func withoutColors(name: String) throws {
    let text = try story(name, 80, 24).grid.picture.lines.joined(separator: "\n")
    try Golden.check(text: text, "values/\(name)-80x24-no-colors")
  }
}
