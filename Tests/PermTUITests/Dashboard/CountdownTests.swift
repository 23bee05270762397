import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Time")
struct CountdownTests {
  /// A decision of tracker about its location that ends so many seconds after the start.
  private func tracker(_ seconds: Int64) -> Decision {
    Samples.decision(
      "tracker", Atom("location", "when in use"), .allow, Samples.until(Story.start + .seconds(seconds)),
      at: Story.start)
  }

  private func story(_ seconds: Int64, keys: Key...) -> Story {
    var data = Samples.data(decisions: [
      Samples.decision("aaa", Atom("location", "always")), tracker(seconds),
    ])
    data.capabilities.removeAll { $0.id != "location" && $0.id != "photos" }
    var story = Story(data: data)
    for key in keys { story.press(key) }
    return story
  }

  /// Returns the number of times that the dashboard wakes up in a time span.
  private func wakeUps(_ story: inout Story, in milliseconds: Int64) -> Int {
    let end = story.now.milliseconds + milliseconds
    var count = 0
    while let deadline = story.state.nextDeadline, deadline <= end {
      story.wait(max(1, deadline - story.now.milliseconds))
      count += 1
    }
    return count
  }

  @Test("Below ten minutes the end of a decision counts down where it can be seen, each second")
  func countdown() {
    var story = story(605, keys: "j", .enter)
    #expect(!story.grid.picture.contains("9:5"))
    story.wait(6_000)
    #expect(story.grid.picture.contains("(9:59)"))
    story.wait(9_000)
    #expect(story.grid.picture.contains("(9:50)"))
    #expect(wakeUps(&story, in: 10_000) == 10)
    story.wait(539_000)
    #expect(story.grid.picture.contains(" s)"))
  }

  @Test("The first view counts down beside the only program that may use a capability")
  func firstView() {
    var data = Samples.data(decisions: [tracker(605)])
    data.capabilities.removeAll { $0.id != "location" && $0.id != "photos" }
    var story = Story(data: data)
    story.press("j")
    #expect(story.grid.picture.contains("tracker (when in use, to 14:"))
    story.wait(10_000)
    #expect(story.grid.picture.contains("tracker (when in use, 9:55 left)"))
    #expect(wakeUps(&story, in: 10_000) == 10)
  }

  @Test("The dashboard does not wake up while no countdown can be seen")
  func hidden() {
    var story = story(300, keys: "l")
    #expect(wakeUps(&story, in: 200_000) == 0)
    story.press("m")
    #expect(wakeUps(&story, in: 60_000) == 0)
  }

  @Test("The last tenth is amber")
  func urgent() {
    var story = story(300, keys: "j", .enter)
    func isAmber(_ story: Story) -> Bool {
      (0..<24).contains { row in
        story.grid.row(row).filter { $0.style.role == .attention }.count > 5
          && story.grid.picture.lines[row].contains("tracker")
      }
    }
    story.wait(265_000)
    #expect(!isAmber(story))
    story.wait(8_000)
    #expect(isAmber(story))
  }

  @Test("An end is announced, marked in the list, and gone once it was seen")
  func ends() {
    var story = story(30)
    story.wait(31_000)
    #expect(story.desk.report?.text == "tracker's location ended at 14:04.")
    #expect(story.grid.picture.lines.contains { $0.contains("!Location") })
    story.press("j")
    #expect(story.grid.picture.lines.contains { $0.contains("tracker") && $0.contains("○ ended") })
    story.press("k")
    #expect(!story.grid.picture.contains("○ ended"))
  }

  @Test("An end is announced once, also if the data still held the decision or no longer does")
  func once() {
    var story = story(30)
    story.wait(31_000)
    story.press("j")
    story.happen(.changed(Samples.data(decisions: [tracker(30)])))
    #expect(story.desk.report == nil)
    var early = self.story(30)
    early.happen(.changed(Samples.data(decisions: [tracker(30)])))
    early.wait(29_990)
    #expect(early.desk.report == nil)
    early.wait(11)
    #expect(early.desk.report?.text == "tracker's location ended at 14:04.")
  }

  @Test("An end does not take the place of a report that can be undone")
  func undoable() {
    var story = story(30)
    story.happen(.reported(Report(text: "Denied photos.", isUndoable: true)))
    story.wait(31_000)
    #expect(story.desk.report?.text == "Denied photos.")
    #expect(story.grid.picture.lines.contains { $0.contains("!Location") })
  }

  @Test("The title of an alert counts down to its end, and turns amber")
  func alert() {
    var story = Story()
    story.show(Samples.alert())
    #expect(story.grid.picture.contains("asked 14:03:05, gives up in 1:34"))
    story.wait(4_000)
    #expect(story.grid.picture.contains("gives up in 1:30"))
    #expect(story.desk.prompt.isArmed, "a second that passes does not restart the wait")
    for _ in 0..<2 {
      story.wait(40_000)
      story.press(.tab)
    }
    #expect(story.grid.picture.contains("gives up in 10 s"))
    #expect(story.grid.row(1).contains { $0.style.role == .attention })
  }

  @Test("An alert that sleeps does not wake up each second")
  func asleep() {
    var story = Story()
    story.show(Samples.alert())
    story.wait(61_000)
    #expect(story.desk.prompt.isAsleep)
    #expect(story.grid.picture.contains("gives up 14:05:05"))
    #expect(wakeUps(&story, in: 20_000) == 0)
  }

  @Test("A request counts down in the waiting list")
  func waits() {
    let request = Samples.request(
      "curl", "photos", Samples.today(14, 3), givesUpAt: Story.start + .seconds(90))
    var story = Story(data: Samples.data(decisions: [], waiting: [Samples.item(request)]))
    #expect(wakeUps(&story, in: 10_000) == 0)
    story.press("w")
    #expect(story.grid.picture.contains("1:30"))
    #expect(wakeUps(&story, in: 5_000) == 5)
  }
}
