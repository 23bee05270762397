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
    for line in story.desk.context.keys.helpLines(for: .waiting) {
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

  @Test("runs the key of the selected line in the view behind it")
  func menu() {
    var story = Story()
    story.press("?", "/")
    story.type("program by program")
    story.press(.enter, .enter)
    #expect(story.state.screen == .programs && story.state.screens.count == 2)
    story.press("?", "/")
    story.type("hold alerts")
    story.press(.enter, .enter)
    #expect(story.state.screen == .programs && story.desk.isOnHold)
  }

  @Test("runs nothing that came with other input, or that belongs to an alert")
  func harmless() {
    var story = Story()
    story.press("?", "/")
    story.type("deny everything new and suspend")
    story.press(.enter)
    story.happen(.keys([.enter, .enter]))
    #expect(story.desk.form == nil && story.takeEffects().deeds.isEmpty)
    var alert = Story()
    alert.press("?", "/")
    alert.type("deny, and deny this")
    alert.press(.enter, .enter)
    #expect(alert.grid.picture.contains("no key of the view") && alert.takeEffects().deeds.isEmpty)
  }
}
