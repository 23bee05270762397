import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("An alert that is answered at another dashboard")
struct OtherAnswerTests {
  private let alert = Samples.alert()

  private func other(_ verdict: Verdict, in story: Story) -> AnswerElsewhere {
    AnswerElsewhere(
      request: Request.ID(alert.id.text), verdict: verdict, origin: .dashboard(id: "4711.5f0c"),
      at: story.now.wall)
  }

  /// Returns a story in which the alert was on the screen, and was then answered elsewhere.
  private func story(_ verdict: Verdict, newsFirst: Bool = true) -> Story {
    var story = Story()
    story.show(alert)
    let news = Action.answeredElsewhere(other(verdict, in: story))
    if newsFirst { story.happen(news) }
    story.withdraw(alert.id)
    if !newsFirst { story.happen(news) }
    _ = story.takeEffects()
    return story
  }

  @Test("stays, and says where it was answered and how", arguments: [true, false])
  func says(newsFirst: Bool) {
    let story = story(.deny, newsFirst: newsFirst)
    #expect(story.grid.picture.contains("asked, and was denied by another dashboard (pid 4711)"))
    #expect(!story.grid.picture.contains("Deny"))
  }

  @Test(
    "can be denied for three seconds after an allow, which takes back what that kept",
    arguments: [true, false])
  func takenBack(newsFirst: Bool) {
    var story = story(.allow, newsFirst: newsFirst)
    story.wait(600)
    #expect(story.grid.picture.contains("asked, and was allowed by another dashboard (pid 4711)"))
    story.strike("d")
    #expect(story.takeEffects().deeds == [.takeBack(Request.ID(alert.id.text))])
    #expect(story.desk.form == nil)
  }

  @Test(
    "has a title that says so, and none of the choices that no longer matter",
    arguments: [(80, 24), (40, 10)])
  func title(width: Int, height: Int) throws {
    for (verdict, title) in [(Verdict.allow, "─ Allowed elsewhere ─"), (.deny, "─ Denied elsewhere ─")] {
      var story = Story(width: width, height: height)
      story.show(alert)
      story.withdraw(alert.id)
      #expect(story.grid.picture.contains("─ Withdrawn ─"))
      story.happen(.answeredElsewhere(other(verdict, in: story)))
      story.wait(600)
      let picture = story.grid.picture
      #expect(picture.contains(title))
      for words in ["Keep", "Stores", "Undo", "1-6", "narrow", "note"] {
        #expect(!picture.contains(words), "\(words)")
      }
      #expect(story.state.formLayout?.fixed.isEmpty == true)
    }
  }

  @Test(
    "says that the program was told yes, until the person has seen it",
    arguments: [(80, 24), (60, 15), (40, 10)])
  func warning(width: Int, height: Int) {
    var story = Story(width: width, height: height)
    story.happen(.warned("Taken back. It was already told yes: photos for backup."))
    story.happen(.reported(Report(text: "Something else.")))
    let text = "Taken back. It was already"
    #expect(story.grid.picture.contains(text) && !story.grid.picture.contains("Error"))
    story.show(alert)
    story.strike("d")
    #expect(story.desk.form == nil)
    #expect(story.grid.picture.contains(text))
    story.press("j")
    #expect(
      !story.grid.picture.contains(text) && story.grid.picture.contains("Denied for this request"))
  }

  @Test("says line by line, too, that the program was told yes")
  func plainWarning() {
    var story = PlainStory()
    story.happen(.warned("Taken back. It was already told yes: photos for backup."))
    #expect(story.paper.contains("\nTaken back. It was already told yes: photos for backup.\n"))
  }

  @Test("that was answered in the agent has a title that says so")
  func agent() {
    var story = Story()
    story.show(alert)
    story.happen(.answeredInAgent(alert.id))
    story.withdraw(alert.id)
    #expect(story.grid.picture.contains("─ Answered in the agent ─"))
  }

  @Test("names the dashboard by its process, if its id tells that")
  func names() {
    let id = Origin.dashboardID(pid: 815, random: "5f0c-12")
    #expect(id == "815.5f0c-12")
    for (id, words) in [(id, " (pid 815)"), ("5f0c", ""), ("5f0c.8", ""), ("815", ""), ("", "")] {
      #expect(Origin.dashboard(id: id).otherNoun == "another dashboard\(words)")
      #expect(Origin.dashboard(id: id).otherPhrase == "by another dashboard\(words)")
    }
    #expect(Origin.dashboard(id: id).noun == "dashboard 815")
    #expect(Origin.dashboard(id: id).phrase == "by a dashboard (pid 815)")
    #expect(Origin.dashboard(id: "5f0c").noun == "dashboard")
    #expect(Origin.rule("broker").phrase == "by the broker")
    #expect(Origin.rule("cron").phrase == "by the rule cron")
    #expect(Origin.commandLine.otherNoun == "command" && Origin.commandLine.otherPhrase == "by a command")
  }

  @Test("is by `you, here` in the journal if it was given here")
  func journal() throws {
    let here = Origin.dashboard(id: Samples.here)
    for (origin, words) in [(here, "you, here"), (.dashboard(id: "4.a"), "you, another screen")] {
      var entry = JournalEntry(at: Story.start, kind: .setAside, origin: origin, text: "weekly copy")
      entry.count = 2
      let row = JournalRow(entry, catalogue: .builtIn, own: here)
      #expect(row.detail == "\(words); 2 times; weekly copy")
    }
    var panic = JournalEntry(at: Story.start, kind: .automatic, origin: here, text: "the panic")
    panic.verdict = .deny
    #expect(JournalRow(panic, catalogue: .builtIn, own: here).detail == "the panic")
    var story = Story(width: 120, height: 40)
    story.press("l")
    #expect(story.grid.picture.contains("By, or why"))
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
