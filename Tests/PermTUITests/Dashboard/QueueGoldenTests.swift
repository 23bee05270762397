import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The screen while a queue is worked through")
struct QueueGoldenTests {
  private static let sizes = GoldenTests.sizes

  private func story(
    _ size: (Int, Int), isRound: Bool = false, data: DashboardData = Samples.data
  ) -> Story {
    Story(width: size.0, height: size.1, data: data, isRound: isRound)
  }

  private func check(_ story: Story, _ name: String) throws {
    try Golden.check(story.grid.picture, "queue/\(name)-\(story.state.size.width)x\(story.state.size.height)")
  }

  @Test("asks whether to answer several requests together", arguments: sizes)
  func together(width: Int, height: Int) throws {
    var story = story((width, height), data: Samples.data(waiting: Samples.queue))
    story.press("w", " ", " ", " ", "d")
    story.wait(1_000)
    try check(story, "together")
  }

  @Test("says which of the marked requests an allow leaves out", arguments: sizes)
  func leftOut(width: Int, height: Int) throws {
    var story = story(
      (width, height), data: Samples.data(waiting: [Samples.queue[0], Samples.detailed, Samples.queue[1]]))
    story.press("w", " ", " ", " ", "a")
    story.wait(1_000)
    try check(story, "left-out")
  }

  @Test("shows a request of a walk, which can be left for later", arguments: sizes)
  func walk(width: Int, height: Int) throws {
    var story = story((width, height), isRound: true)
    story.wait(1_200)
    try check(story, "walk")
  }

  @Test("says that alerts are held", arguments: sizes)
  func hold(width: Int, height: Int) throws {
    var story = story((width, height))
    story.press("H")
    try check(story, "hold")
  }

  @Test("asks before it undoes what another made", arguments: sizes)
  func undo(width: Int, height: Int) throws {
    var story = story((width, height))
    story.happen(.found(.undo, HistoryTests.preview(by: .commandLine, at: Story.start)))
    story.wait(1_000)
    try check(story, "undo")
  }

  @Test("says where an alert was allowed, and offers to deny it after all", arguments: sizes)
  func takeBack(width: Int, height: Int) throws {
    var story = story((width, height))
    let alert = Samples.alert()
    story.show(alert)
    story.happen(
      .answeredElsewhere(
        AnswerElsewhere(
          request: Request.ID(alert.id.text), verdict: .allow, origin: .dashboard(id: "4711.5f0c"),
          at: story.now.wall)))
    story.withdraw(alert.id)
    story.wait(600)
    try check(story, "take-back")
  }

  @Test("says that an alert was set aside elsewhere, and still waits", arguments: sizes)
  func setAsideElsewhere(width: Int, height: Int) throws {
    let alert = Samples.alert()
    var item = Samples.item(try #require(alert.request).request)
    item.isElsewhere = true
    var story = story((width, height), data: Samples.data(decisions: [], waiting: [item]))
    story.show(alert)
    story.withdraw(alert.id)
    item.isSetAside = true
    story.happen(.changed(Samples.data(decisions: [], waiting: [item])))
    story.wait(1_000)
    try check(story, "set-aside-elsewhere")
  }

  @Test("says that an allow which was taken back had already been told", arguments: sizes)
  func told(width: Int, height: Int) throws {
    var story = story((width, height))
    story.happen(.warned("Taken back. It was already told yes: photos for backup."))
    try check(story, "told")
  }

  @Test("says that an alert sleeps", arguments: sizes)
  func asleep(width: Int, height: Int) throws {
    var story = story((width, height))
    story.show(Samples.alert())
    story.wait(61_000)
    try check(story, "asleep")
  }
}
