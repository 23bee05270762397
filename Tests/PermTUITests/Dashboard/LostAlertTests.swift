import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("A lost alert that nobody closes")
struct LostAlertTests {
  private let alert = Samples.alert()
  private let other = Alert(id: Alert.ID("other"), content: Samples.alert(label: "thumbs").content)

  private func lost() -> Story {
    var story = Story()
    story.show(alert)
    story.present(other)
    story.withdraw(alert.id)
    return story
  }

  @Test("becomes a line after ten seconds without a key, and the next alert comes up asleep")
  func line() {
    var story = lost()
    story.wait(9_900)
    #expect(story.desk.form?.alertID == alert.id)
    story.wait(200)
    #expect(story.desk.form?.alertID == other.id)
    #expect(story.desk.report?.text.contains("is no longer waiting") == true)
    #expect(story.desk.prompt.isAsleep)
    story.strike("a")
    #expect(!story.desk.prompt.isAsleep && story.takeEffects().deeds.isEmpty)
    story.wait(1_200)
    story.strike("d")
    #expect(story.takeEffects().deeds.count == 1)
  }

  @Test("stays as long as keys are pressed, and then the next alert is awake")
  func keys() {
    var story = lost()
    for _ in 0..<4 {
      story.wait(5_000)
      story.press(.down)
    }
    #expect(story.desk.form?.alertID == alert.id)
    story.wait(1_000)
    story.strike(.enter)
    story.wait(1_200)
    #expect(story.desk.form?.alertID == other.id && !story.desk.prompt.isAsleep)
  }

  @Test("stays while a note is being typed in it")
  func typing() {
    var story = Story()
    story.show(alert)
    story.strike("t")
    story.type("re")
    story.withdraw(alert.id)
    story.wait(60_000)
    #expect(story.desk.form?.note.text == "re")
  }

  @Test("leaves nothing to do once it is a line")
  func idle() {
    var story = Story()
    story.show(alert)
    story.withdraw(alert.id)
    story.wait(20_000)
    #expect(story.desk.form == nil)
    #expect(story.state.desk.endOfLoss == nil)
  }
}
