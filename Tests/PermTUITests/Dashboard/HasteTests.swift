import PermModel
import Testing

@testable import PermTUI

/// Tests of keys that were meant for something else, at an alert that comes up while they are pressed.
@Suite("A key that was meant for something else")
struct HasteTests {
  private let alert = Samples.alert()

  /// Returns a dashboard on which the alert has just come up.
  private func surprised(by alert: Alert, width: Int = 80, height: Int = 24) -> Story {
    var story = Story(width: width, height: height)
    story.present(alert)
    story.wait(500)
    return story
  }

  private func press(_ key: Key, after pause: Int64, in story: inout Story) {
    story.wait(pause)
    story.happen(.keys([key]))
  }

  @Test("neither moves the focus nor chooses for how long, so that the next Enter allows nothing")
  func focus() {
    for (first, second) in [("l", "s"), (Key.tab, "x"), ("l", "l")] as [(Key, Key)] {
      var story = surprised(by: alert)
      press(first, after: 60, in: &story)
      press(second, after: 120, in: &story)
      press(.enter, after: 750, in: &story)
      story.wait(1_000)
      let allows = story.takeEffects().filter { $0.isAllow }
      #expect(allows.isEmpty, "\(first), \(second), Enter: \(allows)")
    }
  }

  @Test("chooses no lifetime before the alert is armed")
  func lifetime() {
    var story = surprised(by: alert)
    press("6", after: 100, in: &story)
    press("a", after: 1_500, in: &story)
    story.wait(1_000)
    let once = Answer(.allow, atoms: [Atom("photos", "read")])
    #expect(story.takeEffects().deeds == [.respond(alert.id, .answered(once), alert.digest)])
  }

  @Test("of a word that comes byte by byte answers nothing", arguments: [1, 20, 120, 200] as [Int64])
  func paste(pause: Int64) {
    var story = Story()
    story.show(alert)
    for character in "yes please" { press(.character(character), after: pause, in: &story) }
    story.wait(1_000)
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.form?.alertID == alert.id)
  }

  @Test("and is held down answers one alert at most", arguments: [250, 300, 400, 500, 600, 660] as [Int64])
  func held(delay: Int64) {
    var story = Story()
    story.show(alert)
    let other = Samples.alert(label: "curl")
    story.present(other)
    press("a", after: 1_000, in: &story)
    press("a", after: delay, in: &story)
    for _ in 0..<100 { press("a", after: 33, in: &story) }
    story.wait(1_000)
    let answers = story.takeEffects().deeds
    #expect(answers.count <= 1, "\(answers)")
    #expect(!answers.contains { if case .respond(other.id, _, _) = $0 { true } else { false } })
  }

  @Test("allows nothing of which a part was on the screen only while the window changed its size")
  func resizeStorm() {
    var story = surprised(by: alert, width: 60, height: 15)
    for height in [15, 60, 15, 60, 15] {
      story.wait(10)
      story.happen(.resized(Size(width: 60, height: height)))
    }
    story.wait(2_000)
    press("a", after: 10, in: &story)
    story.wait(1_000)
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.form?.hasShownAll == false)
  }
}

extension Effect {
  /// Whether it allows or confirms something.
  var isAllow: Bool {
    switch self {
    case .respond(_, .answered(let answer), _), .decide(_, _, let answer),
      .answer(_, let answer, _):
      answer.verdict == .allow
    case .respond(_, .confirmed, _): true
    case .answerTogether(_, let verdict, _): verdict == .allow
    default: false
    }
  }
}
