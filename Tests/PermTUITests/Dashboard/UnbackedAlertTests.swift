import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("An alert whose broker has gone")
struct UnbackedAlertTests {
  private let alert = Samples.alert()

  @Test("stays to be read, says so, and answers nothing")
  func answersNothing() {
    var story = Story()
    story.show(alert)
    story.back(alert.id, false)
    story.wait(2_000)
    #expect(story.grid.picture.contains("Its broker has gone: an answer has no effect"))
    _ = story.takeEffects()
    for key in ["a", "y", "d", "n", "M", .enter] as [Key] {
      story.press(key)
      story.wait(1_000)
      #expect(story.takeEffects().deeds.isEmpty)
    }
    #expect(story.desk.form?.alertID == alert.id)
    #expect(story.desk.form?.hint?.contains("No broker asks this now") == true)
  }

  @Test("can be answered again once the next broker asks the same, after the usual wait")
  func goesOn() {
    var story = Story()
    story.show(alert)
    story.back(alert.id, false)
    story.wait(2_000)
    story.back(alert.id, true)
    _ = story.takeEffects()
    story.press("d")
    #expect(story.takeEffects().deeds.isEmpty)
    story.wait(2_000)
    #expect(!story.grid.picture.contains("Its broker has gone"))
    story.press("d")
    story.wait(1_000)
    #expect(story.takeEffects().deeds.count == 1)
  }

  @Test("is withdrawn where no broker asks the same, without a word on whether the program still waits")
  func withdrawn() {
    var story = Story()
    story.show(alert)
    story.back(alert.id, false)
    story.withdraw(alert.id)
    #expect(story.grid.picture.contains("Withdrawn"))
    #expect(story.grid.picture.contains("will be shown again if it still waits"))
  }

  @Test("is another one than that which is read, and changes nothing there")
  func another() {
    var story = Story()
    story.show(alert)
    story.back(Alert.ID("another"), false)
    #expect(story.desk.form?.isUnbacked == false)
  }

  @Test("comes up again if the answer to it could not be sent, after the usual wait")
  func unanswered() {
    var story = Story()
    story.show(alert)
    story.strike("d")
    #expect(story.desk.form == nil && story.takeEffects().deeds.count == 1)
    story.happen(.unanswered(alert.id))
    #expect(story.desk.form?.alertID == alert.id)
    story.happen(.keys(["d"]))
    story.wait(300)
    #expect(story.takeEffects().deeds.isEmpty)
    story.wait(2_000)
    story.strike("d")
    #expect(story.takeEffects().deeds.count == 1)
  }
}
