import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Capabilities that this machine does not have")
struct AbsentTests {
  private func data(_ names: [String], decisions: [Decision] = []) -> DashboardData {
    var data = Samples.data(decisions: decisions)
    data.capabilities += Samples.absent(names)
    return data
  }

  @Test("are one row, which Enter opens and closes")
  func folding() {
    var story = Story(data: data(["radar", "sonar"]))
    let folded = story.state.list.rows.count
    #expect(story.state.list.rows.last == .absent)
    #expect(
      story.grid.picture.lines.contains { $0.contains("3 more are not on this machine; Enter shows them") })
    #expect(!story.grid.picture.contains("Radar"))
    story.press("G")
    #expect(story.grid.picture.contains("Radar: no radar is there"))
    story.press(.enter)
    #expect(story.state.list.rows.count == folded + 3)
    #expect(story.state.list.selection == .absent)
    #expect(story.grid.picture.lines.contains { $0.contains("Radar") && $0.contains("unavailable") })
    story.press("j", .enter)
    #expect(story.state.screen == .capability("health"))
    story.press(.escape, "k", .enter)
    #expect(story.state.list.rows.count == folded)
  }

  @Test("have no decision in their row that could be forgotten")
  func forgetting() {
    var story = Story(width: 200, height: 60, data: data(["radar", "sonar"], decisions: Samples.decisions))
    let bar = story.grid.picture.lines.last ?? ""
    #expect(bar.contains("Enter open") && bar.contains("x forget"))
    story.press("G")
    #expect(story.state.list.selection == .absent)
    // All other keys stay in their places.
    let expected = bar.replacing("Enter open", with: "Enter show").replacing("x forget", with: "        ")
    #expect(story.grid.picture.lines.last == expected)
    for _ in 0..<2 {
      story.press("x")
      #expect(story.effects.isEmpty)
      #expect(
        story.desk.report?.text
          == "They are not on this machine and were never used: there is nothing to forget.")
      story.press(.enter)
    }
  }

  @Test("are found by the filter")
  func filter() {
    var story = Story(data: data(["radar", "sonar"]))
    story.press("/")
    story.type("radar")
    #expect(story.state.list.rows == [.capability("radar")])
  }

  @Test("stay in the list if a program uses them, or if there is only one")
  func used() {
    #expect(Story().state.list.rows.contains(.capability("health")))
    let story = Story(data: data(["radar", "sonar"], decisions: [Samples.decision("ship", Atom("radar"))]))
    #expect(story.state.list.rows.contains(.capability("radar")))
    #expect(story.grid.picture.contains("2 more"))
  }

  @Test("do not hide what to do first")
  func firstSteps() {
    var data = data(["radar", "sonar"])
    data.capabilities.removeAll { $0.unavailability == nil }
    let story = Story(data: data)
    #expect(story.grid.picture.contains("permtui request commands:run@'git push origin main'"))
    #expect(CapabilityCatalogue.builtIn["system"]?.definition.parts.contains { $0.name == "look" } == true)
  }
}
