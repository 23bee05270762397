import PermBroker
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Picking a request from the list of what waits")
struct PickingTests {
  private let curl = Samples.request("curl", "photos", Samples.today(14, 3))
  private let report = Samples.request("report.py", "photos", Samples.today(13, 58))

  private func story(_ requests: [Request]? = nil) -> Story {
    var story = Story(
      data: Samples.data(decisions: [], waiting: (requests ?? [curl, report]).map(Samples.item)))
    story.press("w")
    _ = story.takeEffects()
    return story
  }

  private var digest: AlertDigest { Samples.pending(report, in: Samples.data).digest }

  @Test("opens any row, and answers this request alone, with what was shown")
  func opens() {
    var story = story()
    story.press("j", .enter)
    story.wait(1_200)
    #expect(story.grid.picture.contains("report.py asks to"))
    story.strike("a")
    #expect(
      story.takeEffects().deeds == [
        .answer(Alert.ID(report.id.text), Answer(.allow, atoms: report.atoms), digest)
      ])
    #expect(story.desk.form == nil)
  }

  @Test("can be kept, as any answer")
  func kept() {
    var story = story()
    story.press("j", .enter)
    story.wait(1_200)
    story.strike("4", "d")
    let answer = Answer(.deny, atoms: report.atoms, lifetime: .duration(.seconds(600)))
    #expect(story.takeEffects().deeds == [.answer(Alert.ID(report.id.text), answer, digest)])
  }

  @Test("answers nothing by keys that came before it was armed, nor by Enter that opened it")
  func notArmed() {
    var story = story()
    story.press("j", .enter, .enter, "a", "y", "d")
    story.wait(249)
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.form?.isPicked == true)
  }

  @Test("goes back to the list with Esc, and leaves the request where it is")
  func back() {
    var story = story()
    story.press("j", .enter)
    #expect(story.grid.picture.contains("Back"))
    #expect(!story.grid.picture.contains("Set aside"))
    story.press(.escape)
    #expect(story.desk.form == nil)
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.waitingCount == 2)
  }

  @Test("says that a request was withdrawn while it was open, and then answers nothing")
  func withdrawn() {
    var story = story()
    story.press("j", .enter)
    story.wait(1_200)
    story.happen(.changed(Samples.data(decisions: [], waiting: [Samples.item(curl)])))
    #expect(story.desk.form?.isWithdrawn == true)
    story.strike("a")
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("is not replaced by an alert that comes in line, not even by its own")
  func ownAlert() {
    var story = story([curl])
    story.press(.enter)
    story.wait(1_200)
    let alert = Samples.pending(curl, in: Samples.data).alert
    story.present(alert)
    story.wait(2_000)
    #expect(story.desk.form?.isPicked == true)
    story.strike("d")
    #expect(story.takeEffects().deeds == [.answer(alert.id, Answer(.deny, atoms: curl.atoms), alert.digest)])
    story.press("c")
    story.wait(2_000)
    #expect(story.desk.form == nil)
  }

  @Test("opens nothing over an alert that came up first")
  func alertFirst() {
    var story = story()
    story.press("c")
    story.show(Samples.alert())
    story.happen(.picked([Samples.pending(curl, in: Samples.data)], nil))
    #expect(story.desk.form?.isPicked == false)
    #expect(story.desk.report?.text.contains("an alert came up") == true)
  }

  @Test(
    "While hold is on, no alert comes up by itself in any view, the header says so, and a pick still works")
  func hold() {
    var story = story()
    story.press("c", "H")
    // The broker has to know, because an agent that nobody sees asks by itself.
    #expect(story.takeEffects().contains(.hold(true)))
    story.present(Samples.alert())
    story.wait(5_000)
    #expect(story.desk.form == nil)
    #expect(story.grid.picture.contains("on hold"))
    story.press("w", "j", .enter)
    #expect(story.desk.form?.isPicked == true)
    story.press(.escape, "c", "H")
    #expect(story.takeEffects().contains(.hold(false)))
    story.wait(1_000)
    #expect(story.desk.form?.alert != nil)
  }

  @Test("w in an alert puts it back in front of the line and opens the list; there it must be armed again")
  func givesWay() {
    var story = Story(data: Samples.data(decisions: [], waiting: [Samples.item(curl)]))
    story.show(Samples.alert())
    story.present(Samples.notice)
    story.strike("w")
    #expect(story.desk.form == nil)
    #expect(story.state.screen == .waiting)
    story.wait(10_000)
    #expect(story.desk.form == nil)
    story.press(.enter)
    #expect(story.desk.form?.alertID == Samples.alert().id)
    story.press("a")
    story.wait(249)
    #expect(story.takeEffects().deeds.isEmpty)
    story.wait(1_000)
    story.strike("d")
    #expect(story.takeEffects().deeds.count == 1)
  }

  @Test("w in a picked request goes back to the list, and leaves the request where it is")
  func picked() {
    var story = story()
    story.press("j", .enter)
    story.wait(1_200)
    story.strike("w")
    #expect(story.desk.form == nil)
    #expect(story.desk.arrived.isEmpty)
    #expect(story.desk.waitingCount == 2)
  }
}
