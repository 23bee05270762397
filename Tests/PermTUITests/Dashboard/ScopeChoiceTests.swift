import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Choosing what an answer covers")
struct ScopeChoiceTests {
  private let alert = Samples.fileAlert()
  private let asked: Set<Atom> = [Atom("files", "read", Samples.path("/srv/x/a"))]
  private let wider: Set<Atom> = [Atom("files", "read", Samples.folder("/srv/x"))]

  private func story(_ alert: Alert? = nil, width: Int = 80, height: Int = 30) -> Story {
    var story = Story(width: width, height: height)
    story.show(alert ?? self.alert)
    return story
  }

  private func answered(
    _ verdict: Verdict, _ atoms: Set<Atom>, _ lifetime: LifetimeChoice = .once, to alert: Alert? = nil
  ) -> Effect {
    .respond(
      (alert ?? self.alert).id, .answered(Answer(verdict, atoms: atoms, lifetime: lifetime)),
      (alert ?? self.alert).digest)
  }

  // MARK: Attacks

  @Test("A held, a pasted and an early key change nothing")
  func attacks() {
    var story = story()
    for _ in 0..<5 {
      story.wait(33)
      story.happen(.keys(["s"]))
    }
    story.wait(400)
    #expect(story.desk.form?.cover == 0)
    story.happen(.paste("s"))
    story.wait(400)
    #expect(story.desk.form?.cover == 0)
    story.happen(.keys(["s", "a"]))
    story.wait(1_000)
    #expect(story.desk.form?.cover == 0)
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("The scope is what is asked again as soon as the wait starts over")
  func restart() {
    var story = story()
    story.strike("s")
    #expect(story.desk.form?.cover == 1)
    story.happen(.focused)
    #expect(story.desk.form?.cover == 0)
    story.wait(1_200)
    story.strike("a")
    #expect(story.takeEffects().deeds == [answered(.allow, asked)])
  }

  @Test(
    "The details are allowed only once their last line was on the screen, and line breaks cannot be forged")
  func details() {
    let text =
      (1...40).map { "line \($0)" }.joined(separator: "\n") + "\n" + String(repeating: "x", count: 70)
      + "1  y"
    let alert = Samples.fileAlert(details: ShownDetails(text))
    var story = story(alert)
    #expect(!story.grid.picture.contains("line 40"))
    story.strike("a")
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.grid.picture.contains(" not read yet: "))
    story.press(.pageDown)
    story.wait(1_000)
    story.press(.pageDown)
    story.wait(1_000)
    story.press(.end)
    story.wait(1_500)
    #expect(story.grid.picture.contains("end, 41 of 41"))
    #expect(!story.grid.picture.lines.contains { $0.contains("Details") && $0.contains("1  y") })
    story.strike("a")
    #expect(story.takeEffects().deeds == [answered(.allow, asked, to: alert)])
  }

  @Test("A scope whose name is off the screen is allowed only after it was seen")
  func unseenScope() {
    var story = story(
      Samples.fileAlert(details: ShownDetails(String(repeating: "x\n", count: 30))), width: 60, height: 15)
    for _ in 0..<10 {
      story.press(.pageDown)
      story.wait(800)
    }
    story.press(.home)
    story.wait(800)
    story.strike("s", "a")
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.form?.cover == 1)
  }

  // MARK: Effects

  @Test("s goes wider and S back, and neither moves the focus from Deny")
  func moves() {
    var story = story()
    #expect(story.grid.picture.contains("s  wider: all of /srv/x/"))
    story.strike("s")
    #expect(story.grid.picture.contains("Covers    all of /srv/x/"))
    #expect(story.desk.form?.focused == .deny)
    story.strike("s", "s")
    #expect(story.grid.picture.contains("No wider scope is on offer."))
    story.strike("S")
    #expect(story.desk.form?.cover == 1)
    story.strike("a")
    #expect(story.takeEffects().deeds == [answered(.allow, wider)])
  }

  @Test("A denial covers the chosen scope, too")
  func denial() {
    var story = story()
    story.strike("S")
    #expect(story.grid.picture.contains("It covers exactly what is asked for."))
    story.strike("s", "6", "d")
    #expect(story.takeEffects().deeds == [answered(.deny, wider, .forever)])
  }

  @Test("A scope can be allowed for no longer than its limit, which is said, but denied")
  func limit() {
    let covers = [
      CoverOffer(nil, words: "this file"),
      CoverOffer(
        Samples.folder("/srv/x"), words: "all of /srv/x/", longest: .session,
        limitReason: "files there run programs"),
    ]
    let alert = Samples.fileAlert(covers: covers)
    var story = story(alert)
    story.strike("6", "s")
    #expect(story.grid.picture.contains("Choice 6 is for a denial only: files there run programs."))
    story.strike("a")
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.grid.picture.contains("Press 3, the longest for an allow: files there run programs."))
    story.strike("3", "a")
    #expect(story.takeEffects().deeds == [answered(.allow, wider, .session, to: alert)])
  }

  @Test("An exact command is allowed by a key, and only by its word if the allow is kept")
  func severity() throws {
    let atoms = try #require(Samples.commandAlert.request?.request.atoms)
    var story = story(Samples.commandAlert)
    #expect(!story.grid.picture.contains("great harm"))
    story.strike("a")
    #expect(story.takeEffects().deeds == [answered(.allow, atoms, to: Samples.commandAlert)])
    story.show(Samples.commandAlert)
    story.strike("6", "a")
    #expect(story.takeEffects().deeds.isEmpty)
    story.type("forever")
    story.press(.enter)
    story.wait(300)
    #expect(story.takeEffects().deeds == [answered(.allow, atoms, .forever, to: Samples.commandAlert)])
  }

  @Test("The chosen scope is named, and for how long it is kept")
  func stores() {
    var story = story()
    story.strike("s", "6")
    #expect(story.grid.picture.contains("all of /srv/x/"))
    #expect(story.grid.picture.contains("the answer forever; u ends that"))
  }
}
