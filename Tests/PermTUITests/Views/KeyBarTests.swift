import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The key bar")
struct KeyBarTests {
  private func bar(_ story: Story) -> String { story.grid.picture.lines.last ?? "" }

  @Test("says what Enter does with the selected row, and nothing where it does nothing")
  func enter() {
    var story = Story(data: Samples.data)
    #expect(bar(story).contains("Enter open"))
    story.press(.enter)
    #expect(bar(story).contains("Enter change"))
    story.press("G")
    #expect(bar(story).contains("Enter answer"))
    var empty = Story(data: Samples.data(decisions: []))
    empty.press(.enter)
    #expect(!bar(empty).contains("Enter"), "\(bar(empty))")
    empty.press(.enter)
    #expect(empty.grid.picture.contains("There is nothing to open here."))
  }

  @Test("names no keys for requests while none waits")
  func waiting() {
    var story = Story(data: Samples.data(decisions: []))
    story.press("w")
    #expect(!bar(story).contains("mark") && !bar(story).contains("Enter"), "\(bar(story))")
  }
}
