import PermBroker
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Walking through everything that waits")
struct WalkTests {
  private let curl = Samples.request("curl", "photos", Samples.today(14, 3))
  private let report = Samples.request("report.py", "photos", Samples.today(13, 58))

  private func story(_ requests: [Request]) -> Story {
    var story = Story(data: Samples.loaded(waiting: requests), isRound: true)
    story.wait(1_200)
    return story
  }

  @Test("shows one request after the other, and ends when the last one is answered")
  func ends() {
    var story = story([curl, report])
    #expect(story.desk.form?.request?.request == curl)
    story.strike("d")
    #expect(story.desk.form?.request?.request == report)
    story.wait(1_200)
    story.strike("d")
    #expect(story.takeEffects().deeds.count == 2)
    // The store has not closed them yet.
    story.happen(.changed(Samples.loaded(waiting: [report])))
    #expect(story.takeEffects().deeds.isEmpty)
    story.happen(.changed(Samples.loaded(waiting: [])))
    #expect(story.takeEffects().deeds == [.quit(isInterrupt: false)])
  }

  @Test("leaves for later what Esc passes over, and ends after the last one")
  func later() {
    var story = story([curl, report])
    #expect(story.grid.picture.contains("Later"))
    story.press(.escape)
    #expect(story.desk.form?.request?.request == report)
    story.press(.escape)
    #expect(story.takeEffects().deeds == [.quit(isInterrupt: false)])
  }

  @Test("says of an alert on the screen of another dashboard that it is there, and takes it over")
  func otherScreen() {
    for isThere in [true, false] {
      var data = Samples.loaded(waiting: [curl])
      data.waiting[0].isElsewhere = isThere
      var story = Story(data: data, isRound: true)
      story.wait(1_200)
      #expect(story.grid.picture.contains("on the screen of another dashboard, too") == isThere)
      story.strike("d")
      #expect(story.takeEffects().deeds.count == 1)
    }
    var data = Samples.loaded(waiting: [curl])
    data.waiting[0].isElsewhere = true
    var picked = Story(data: data)
    picked.press("w", .enter)
    #expect(picked.desk.form?.isPicked == true && picked.desk.form?.isOnOtherScreen == false)
  }

  @Test("calls none of its own answers an error, but an answer that another gave first")
  func ownAnswers() {
    for (verdict, origin, isOther) in [
      (Verdict.deny, Origin.commandLine, false), (.deny, .dashboard(id: "4711.5f0c"), true),
      (.allow, .commandLine, true),
    ] {
      var story = story([curl, report])
      story.strike("d")
      _ = story.takeEffects()
      story.happen(
        .answeredElsewhere(
          AnswerElsewhere(request: curl.id, verdict: verdict, origin: origin, at: Story.start)))
      let isTakenBack = story.takeEffects().deeds.contains(.takeBack(curl.id))
      #expect((story.desk.report?.isError == true || isTakenBack) == isOther, "\(verdict) \(origin)")
    }
  }

  @Test("waits for the broker that knows which requests are on other screens")
  func broker() {
    var data = Samples.loaded(waiting: [curl])
    data.connection = ""
    var story = Story(data: data, isRound: true)
    story.wait(1_200)
    #expect(story.desk.form == nil && story.picks.isEmpty)
    data.connection = "second dashboard"
    story.happen(.changed(data))
    #expect(story.picks == [Alert.ID(curl.id.text)])
  }

  @Test("ends at once where nothing waits")
  func nothing() {
    var story = Story(data: Samples.loaded(waiting: []), isRound: true)
    story.happen(.changed(Samples.loaded(waiting: [])))
    #expect(story.takeEffects().deeds.last == .quit(isInterrupt: false))
  }

  @Test("shows a request again whose answer was refused")
  func refused() {
    var story = story([curl])
    story.strike("a")
    story.happen(.reported(Report(text: "Nothing was answered: the question has changed.", isError: true)))
    story.happen(.changed(Samples.loaded(waiting: [curl])))
    #expect(story.desk.form?.request?.request == curl)
    #expect(!story.takeEffects().deeds.contains(.quit(isInterrupt: false)))
  }
}
