import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The view with the keys")
struct HelpViewTests {
  private static let sizes = GoldenTests.sizes

  /// Returns the rows of the view, page by page.
  private func rows(_ story: inout Story) -> [String] {
    story.press("g")
    var rows: [String] = []
    for _ in 0..<story.state.list.rows.count {
      let line = story.grid.picture.lines.first { $0.hasPrefix(" >") } ?? ""
      rows.append(String(line.dropFirst(ListTable.indent)))
      story.press("j")
    }
    return rows
  }

  @Test("says in full what each key does, at every size", arguments: sizes)
  func whole(width: Int, height: Int) {
    var story = Story(width: width, height: height)
    story.press("w", "?")
    let rows = rows(&story)
    #expect(!rows.contains { $0.contains("…") }, "\(rows)")
    let words = rows.joined(separator: " ").split(separator: " ")
    for line in story.desk.surroundings.keys.helpLines(for: .waiting) {
      for word in line.text.split(separator: " ") + line.keys.split(separator: " ") {
        #expect(words.contains(word), "\(word) of \(line)")
      }
    }
  }

  @Test("shows all rows of a line that the filter finds")
  func filter() {
    var story = Story(width: 60, height: 15)
    story.press("?", "/")
    story.type("undecided again")
    #expect(story.state.list.rows.count == 2)
    #expect(story.grid.picture.contains("take the decision back"))
    #expect(story.grid.picture.contains("again"))
  }

  @Test("breaks its lines where the new width needs it")
  func resized() {
    var story = Story(width: 200, height: 60)
    story.press("?")
    let wide = story.state.list.rows.count
    story.happen(.resized(Size(width: 40, height: 10)))
    #expect(story.state.list.rows.count > wide)
    #expect(story.grid.picture.contains(">"))
    story.happen(.resized(Size(width: 200, height: 60)))
    #expect(story.state.list.rows.count == wide)
  }
}
