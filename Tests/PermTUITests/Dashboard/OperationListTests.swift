import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The view of the operations")
struct OperationListTests {
  @Test("lists what waits for an answer, with why and since when, and Enter shows it")
  func waiting() {
    var story = Story(data: Samples.data(decisions: []))
    story.show(Samples.alert())
    story.press(.escape, "o")
    let line = story.grid.picture.lines.first { $0.contains("photos for backup") }
    #expect(line?.contains("14:03:05") == true && line?.contains("set aside") == true, "\(line ?? "")")
    _ = story.takeEffects()
    story.press(.enter)
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.picks == [Samples.alert().id])
  }

  @Test("says who holds the screen elsewhere")
  func elsewhere() {
    var item = Samples.item(Samples.waiting[0])
    item.isElsewhere = true
    var story = Story(width: 120, height: 40, data: Samples.data(decisions: [], waiting: [item]))
    story.press("o")
    #expect(
      story.grid.picture.lines.contains {
        $0.contains("● photos for curl") && $0.contains("another dashboard")
      })
  }

  @Test("does not list the operation of an alert twice")
  func once() {
    var data = Samples.data(
      decisions: [], waiting: [Samples.item(Samples.request("backup", "photos", Samples.today(14, 3)))])
    data.operations = Samples.operations
    var story = Story(data: data)
    story.press("o")
    #expect(story.state.list.rows == [.waiting(Alert.ID("backup-photos")), .operation("2"), .operation("3")])
  }
}
