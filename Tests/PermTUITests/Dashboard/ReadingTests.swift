import PermModel
import Testing

@testable import PermTUI

@Suite("What a view asks to be read")
struct ReadingTests {
  @Test("The first view needs the first decisions only, and all of them once a name is looked for")
  func filter() {
    var story = Story()
    #expect(story.state.needs.decisions == .first)
    story.press("/", "b")
    #expect(story.state.needs.decisions == .all)
    story.press(.escape)
    #expect(story.state.needs.decisions == .first)
  }
}
