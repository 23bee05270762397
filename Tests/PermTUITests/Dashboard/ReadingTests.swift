import PermModel
import Testing

@testable import PermTUI

@Suite("The data that a view asks for")
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
