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
