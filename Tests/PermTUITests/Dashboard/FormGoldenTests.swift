import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The screen around an alert and a question")
struct FormGoldenTests {
  private static let sizes = GoldenTests.sizes

  private func check(_ story: Story, _ name: String) throws {
    try Golden.check(story.grid.picture, "forms/\(name)-\(story.state.size.width)x\(story.state.size.height)")
  }

  @Test("shows the keys that an alert has", arguments: sizes)
  func keys(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.show(Samples.alert())
    story.strike("?")
    #expect(story.desk.form?.page == .keys)
    try check(story, "keys")
  }

  @Test("shows a note that is being written", arguments: sizes)
  func note(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.show(Samples.alert())
    story.strike("t")
    story.type("only for the trip to the lake")
    #expect(story.desk.form?.entry == .note)
    try check(story, "note")
  }

  @Test("asks before it lifts a panic", arguments: sizes)
  func panic(width: Int, height: Int) throws {
    var data = Samples.data
    data.panicSince = Samples.today(14, 2)
    var story = Story(width: width, height: height, data: data)
    story.press("!")
    story.wait(1_000)
    #expect(story.desk.form?.question != nil)
    try check(story, "panic")
  }

  @Test("asks before it forgets several decisions", arguments: sizes)
  func forget(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    story.press("x")
    story.wait(1_000)
    #expect(story.desk.form?.question != nil)
    try check(story, "forget")
  }

  @Test("says that the broker of an alert has gone", arguments: sizes)
  func brokerGone(width: Int, height: Int) throws {
    var story = Story(width: width, height: height)
    let alert = Samples.alert()
    story.show(alert)
    story.back(alert.id, false)
    story.wait(2_000)
    try check(story, "broker-gone")
  }

  @Test("counts the mistakes in the configuration, and names the first", arguments: sizes)
  func mistakes(width: Int, height: Int) throws {
    let settings = DashboardSettings(
      text: "[dashboard]\nbell = 3\ncolors = \"88\"", file: "/home/ana/.config/permtui/config.toml")
    var story = Story(width: width, height: height)
    story.happen(.configured(settings.preferences))
    story.happen(.reported(try #require(Report(settings.problems))))
    #expect(story.grid.picture.lines.first?.contains("2 mistakes") == true)
    #expect(story.grid.picture.contains("Error: 2 mistakes"))
    try check(story, "mistakes")
  }

  @Test("folds the capabilities that are not on this machine into one row", arguments: sizes)
  func absent(width: Int, height: Int) throws {
    var data = Samples.data
    data.capabilities += Samples.absent(["radar", "sonar"])
    var story = Story(width: width, height: height, data: data)
    story.press("G")
    #expect(story.state.list.selection == .absent)
    try check(story, "absent")
  }

  @Test("shows the end of the demo, the next step first", arguments: sizes)
  func storyOver(width: Int, height: Int) throws {
    var story = Story(width: width, height: height, isDemo: true)
    story.show(Samples.storyOver)
    #expect(story.grid.picture.contains("Now for real"))
    try check(story, "story-over")
  }
}
