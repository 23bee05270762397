import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("A notice")
struct NoticeTests {
  private func story() -> Story {
    Story(width: 100, data: Samples.data(decisions: [], waiting: []))
  }

  @Test("is not counted among the requests and the questions that wait")
  func uncounted() {
    var story = story()
    story.show(Samples.notice)
    story.present(Samples.alert())
    story.present(Samples.confirmation)
    #expect(story.grid.picture.contains("PermTUI     2 waiting   0 allowed"))
    #expect(story.grid.picture.contains("┌─ Notice ─"))
    story.strike(.enter)
    story.wait(1_500)
    #expect(story.grid.picture.contains("┌─ Request 1 of 2 ─"))
  }

  @Test("is named in the header while it is not on the screen")
  func named() {
    var story = story()
    story.show(Samples.alert())
    story.present(Samples.notice)
    #expect(story.grid.picture.contains("1 waiting, 1 notice"))
    #expect(story.grid.picture.contains("┌─ Request ─"))
    #expect(story.grid.picture.contains("w waiting"), "The notice can be looked at.")
  }

  @Test("has no number in plain mode")
  func plain() {
    var story = PlainStory(data: Samples.data(decisions: [], waiting: []))
    story.present(Samples.notice)
    story.present(Samples.alert())
    story.wait(2_000)
    #expect(!story.paper.contains("Alert 1 of"), "\(story.paper)")
    story.enter("ok")
    story.wait(2_000)
    #expect(story.paper.contains("Alert 1 of 1."), "\(story.paper)")
  }
}
