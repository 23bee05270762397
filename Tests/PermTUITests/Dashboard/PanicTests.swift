import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The panic key")
struct PanicTests {
  private let alert = Samples.alert()

  @Test("In an armed alert it denies everything, and the alert goes once the store has said so")
  func closes() {
    var story = Story()
    story.show(alert)
    story.strike("!")
    #expect(story.takeEffects().deeds == [.setPanic(true)])
    #expect(story.desk.form?.alertID == alert.id, "the store has not answered yet")
    story.withdraw(alert.id)
    #expect(story.desk.form == nil)
    #expect(story.desk.report?.text.contains("Denied by the panic") == true)
  }

  @Test("In a program's question it refuses that too, and the question goes once the slot has taken it away")
  func closesQuestion() {
    let question = Alert(
      id: Alert.ID("question"), content: .confirmation(Confirmation(title: "Delete 12 albums?")))
    var story = Story()
    story.show(question)
    story.strike("!")
    #expect(story.takeEffects().deeds == [.setPanic(true)])
    story.withdraw(question.id)
    #expect(story.desk.form == nil)
  }

  @Test("It does nothing in an alert that is not armed, nor in a burst of keys")
  func needsArming() {
    var story = Story()
    story.present(alert)
    story.wait(600)
    story.press("!")
    story.wait(250)
    #expect(story.takeEffects().deeds.isEmpty)
    story.wait(1_000)
    story.happen(.keys(["!", "d"]))
    story.wait(250)
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.form != nil)
  }

  @Test("While it holds, nothing is shown as allowed")
  func suspends() {
    var data = Samples.data(decisions: Samples.decisions)
    data.panicSince = Samples.today(14, 3)
    let lines = Story(width: 100, height: 40, data: data).grid.picture.lines
    #expect(lines.contains { $0.contains("6 suspended") })
    #expect(lines.contains { $0.contains("Photos") && $0.contains("‖ suspended") })
    #expect(!lines.contains { $0.contains("● allowed") || $0.contains("●") })
    #expect(lines.contains { $0.contains("Camera") && $0.contains("✕ denied") })
  }

  @Test("A panic from elsewhere leaves the alert that is read where it is")
  func elsewhere() {
    var story = Story()
    story.show(alert)
    var data = Samples.data
    data.panicSince = story.now.wall
    story.happen(.changed(data))
    #expect(story.grid.picture.contains("PANIC"))
    #expect(story.desk.form?.alertID == alert.id && story.desk.form?.isWithdrawn == false)
    story.withdraw(alert.id)
    #expect(story.desk.form?.isWithdrawn == true)
    #expect(story.grid.picture.contains("backup asked, and is no longer waiting"))
    #expect(story.takeEffects().deeds.isEmpty)
  }
}
