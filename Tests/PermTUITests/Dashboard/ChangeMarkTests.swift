import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Changes by others")
struct ChangeMarkTests {
  @Test("A decision that someone else forgot is marked, stays in the list until it was seen, and then goes")
  func forgotten() {
    var story = Story(data: Samples.data(decisions: Array(Samples.decisions.dropFirst())))
    story.happen(.noticed([Samples.news("backup", "photos", .commandLine, isGone: true)]))
    #expect(story.grid.picture.lines.contains { $0.contains("!Photos") })
    #expect(
      story.grid.picture.lines.contains { $0.contains("backup") && $0.contains("! command, not here") })
    story.press("j")
    #expect(!story.grid.picture.contains("not here"))
    #expect(story.desk.marks.unseen.isEmpty)
  }

  @Test("It is also in the list of its capability and of its program")
  func lists() {
    var story = Story()
    story.press("j", .enter)
    let news = Samples.news("tracker", "location", .rule("cron"), isGone: true)
    story.happen(
      .changed(Samples.data(decisions: Samples.decisions.filter { $0.subject.label != "tracker" })))
    story.happen(.noticed([news]))
    #expect(story.state.list.rows.contains(.gone(news.id)))
    #expect(story.grid.picture.contains("! cron, not here"))
    story.press("g")
    #expect(!story.state.list.rows.contains(.gone(news.id)))
  }

  @Test("A change made here is marked until the next key, and is no news")
  func here() {
    var story = Story()
    story.happen(.noticed([Samples.news("backup", "photos", .dashboard(id: Samples.here), isGone: true)]))
    #expect(story.desk.marks.gone.isEmpty && story.desk.marks.unseen.isEmpty)
    #expect(story.grid.picture.lines.contains { $0.contains("*Photos") })
    story.press("j")
    #expect(!story.grid.picture.lines.contains { $0.contains("*Photos") })
  }
}
