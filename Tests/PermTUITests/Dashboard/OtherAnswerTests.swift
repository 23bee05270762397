import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("An alert that is answered at another dashboard")
struct OtherAnswerTests {
  private let alert = Samples.alert()

  private func other(_ verdict: Verdict, in story: Story) -> OtherAnswer {
    OtherAnswer(
      request: Request.ID(alert.id.text), verdict: verdict, origin: .dashboard(id: "other"),
      at: story.now.wall)
  }

  /// Returns a story in which the alert was on the screen, and was then answered elsewhere.
  private func story(_ verdict: Verdict, newsFirst: Bool = true) -> Story {
    var story = Story()
    story.show(alert)
    let news = Action.answeredElsewhere(other(verdict, in: story))
    for action in newsFirst ? [news, .withdrawn(alert.id)] : [.withdrawn(alert.id), news] {
      story.happen(action)
    }
    _ = story.takeEffects()
    return story
  }

  @Test("stays, and says where it was answered and how", arguments: [true, false])
  func says(newsFirst: Bool) {
    let story = story(.deny, newsFirst: newsFirst)
    #expect(story.grid.picture.contains("asked, and was denied by a dashboard"))
    #expect(!story.grid.picture.contains("Deny"))
  }

  @Test(
    "can be denied for three seconds after an allow, which takes back what that kept",
    arguments: [true, false])
  func takenBack(newsFirst: Bool) {
    var story = story(.allow, newsFirst: newsFirst)
    story.wait(600)
    #expect(story.grid.picture.contains("asked, and was allowed by a dashboard"))
    story.strike("d")
    #expect(story.takeEffects().deeds == [.takeBack(Request.ID(alert.id.text))])
    #expect(story.desk.form == nil)
  }

  @Test("cannot be denied any more after three seconds")
  func tooLate() {
    var story = story(.allow)
    story.wait(3_001)
    #expect(story.desk.form?.buttons == [.close])
    story.strike("d")
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("cannot be allowed, and closing it denies nothing")
  func closes() {
    for keys: [Key] in [["a"], ["y"], [.enter], [.escape]] {
      var story = story(.allow)
      story.wait(600)
      for key in keys { story.strike(key) }
      #expect(story.takeEffects().deeds.isEmpty, "\(keys)")
    }
    var denied = story(.deny)
    denied.wait(600)
    denied.strike("d")
    #expect(denied.takeEffects().deeds.isEmpty)
  }

  @Test("is taken back where the denial was pressed in the same moment")
  func sameMoment() {
    var story = Story()
    story.show(alert)
    story.happen(.keys(["d"]))
    story.wait(100)
    story.happen(.answeredElsewhere(other(.allow, in: story)))
    #expect(story.takeEffects().deeds == [.takeBack(Request.ID(alert.id.text))])
    var late = Story()
    late.show(alert)
    late.strike("d")
    _ = late.takeEffects()
    late.happen(.answeredElsewhere(other(.allow, in: late)))
    #expect(late.takeEffects().deeds == [.takeBack(Request.ID(alert.id.text))])
    late.happen(.answeredElsewhere(other(.allow, in: late)))
    #expect(late.takeEffects().deeds.isEmpty)
  }
}
