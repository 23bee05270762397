import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("A request that is set aside at another dashboard")
struct SetAsideElsewhereTests {
  private let alert = Samples.alert()

  /// Returns data in which the alert's request waits.
  private func data(isSetAside: Bool) throws -> DashboardData {
    var item = Samples.item(try #require(alert.request).request)
    (item.isElsewhere, item.isSetAside) = (true, isSetAside)
    return Samples.data(decisions: [], waiting: [item])
  }

  /// Returns a story in which the alert was on the screen, and was then set aside elsewhere.
  private func story() throws -> Story {
    var story = Story(data: try data(isSetAside: false))
    story.show(alert)
    story.withdraw(alert.id)
    #expect(story.grid.picture.contains("asked, and no longer waits for this dashboard"))
    story.happen(.changed(try data(isSetAside: true)))
    story.wait(1_000)
    return story
  }

  @Test("is not reported as no longer waiting, and is in the list")
  func told() throws {
    var story = try story()
    #expect(story.grid.picture.contains("Set aside elsewhere"))
    #expect(story.grid.picture.contains("backup asked, and was set aside elsewhere; w lists it"))
    #expect(!story.grid.picture.contains("Withdrawn") && !story.grid.picture.contains("no longer"))
    story.strike(.escape)
    #expect(story.desk.form == nil && story.takeEffects().deeds.isEmpty)
    story.press("w")
    #expect(story.grid.picture.lines.contains { $0.contains("Asked") && $0.contains("set aside") })
    story.press(.enter)
    #expect(story.desk.form?.isPicked == true)
  }

  @Test("is in the same place on a dashboard that opened later")
  func later() throws {
    let data = try data(isSetAside: true)
    let story = Story(data: data)
    #expect(story.desk.place(of: data.waiting[0]) == .setAsideElsewhere)
    #expect(story.desk.whereabouts(of: data.waiting[0]) == "set aside")
    #expect(story.desk.waiting.asideCount == 1)
  }

  @Test("is reported as no longer waiting once its program has gone")
  func gone() throws {
    var story = try story()
    story.happen(.changed(Samples.data(decisions: [])))
    #expect(story.grid.picture.contains("Withdrawn"))
    #expect(story.grid.picture.contains("asked, and is no longer waiting"))
  }

  @Test("is reported line by line, too")
  func plain() throws {
    var story = PlainStory(data: try data(isSetAside: false))
    story.show(alert)
    story.happen(.changed(try data(isSetAside: true)))
    story.withdraw(alert.id)
    #expect(story.paper.contains("Withdrawn: it was set aside elsewhere; the word waiting lists it."))
  }
}
