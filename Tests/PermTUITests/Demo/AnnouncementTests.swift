import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("An announcement")
struct AnnouncementTests {
  private let words = DemoSession.lastWait
  private let data = Samples.data(decisions: [], waiting: [])

  @Test("is whole on a narrow screen, and comes back after another message", arguments: [60, 80])
  func comesBack(width: Int) {
    var story = Story(width: width, height: 15, data: data, isDemo: true)
    story.happen(.announced(words))
    #expect(story.grid.picture.contains(words))
    story.press("&")
    #expect(story.grid.picture.contains("& does nothing here."))
    story.press(.down)
    #expect(story.grid.picture.contains(words))
    story.happen(.announced(nil))
    #expect(!story.grid.picture.contains(words))
  }

  @Test("is not shown while something waits")
  func untrue() {
    var story = Story(data: data, isDemo: true)
    story.happen(.announced(words))
    story.show(Samples.alert())
    story.strike(.escape)
    #expect(!story.grid.picture.contains(words), "\(story.grid.picture.text)")
    var late = Story(
      data: Samples.data(decisions: [], waiting: Samples.waiting.map(Samples.item)), isDemo: true)
    late.happen(.announced(words))
    #expect(!late.grid.picture.contains(words))
  }

  @Test("is one line in plain mode")
  func plain() {
    var story = PlainStory(data: data)
    _ = story.takePaper()
    story.happen(.announced(words))
    #expect(story.takePaper().contains(words))
    story.enter("status")
    #expect(!story.takePaper().contains(words))
  }
}

@Suite("The end of the demo's story")
struct StoryEndTests {
  private let over = Alert(
    id: Alert.ID("over"), content: .notice(Notice(title: "The story is over", message: "All ran.")))

  @Test("comes up in whatever view one is", arguments: ["c", "p", "m", "w", "o", "l", "t", "?"] as [Key])
  func everywhere(view: Key) {
    var story = Story(data: Samples.data(decisions: [], waiting: []), isDemo: true)
    story.press(view)
    story.show(over)
    #expect(story.grid.picture.contains("The story is over") && story.desk.form != nil)
  }

  @Test("comes up over no list of what waits outside of the demo")
  func real() {
    var story = Story(data: Samples.data(decisions: [], waiting: []))
    story.press("w")
    story.show(over)
    #expect(story.desk.form == nil)
  }

  @Test("waits for what is set aside, and the banner says so", arguments: [60, 80])
  func heldUp(width: Int) {
    var story = Story(width: width, data: Samples.data(decisions: [], waiting: []), isDemo: true)
    #expect(!story.grid.picture.contains("set aside"))
    story.show(Samples.alert())
    story.strike(.escape)
    #expect(story.grid.picture.lines[0].contains("waits for what you set aside"))
  }
}
