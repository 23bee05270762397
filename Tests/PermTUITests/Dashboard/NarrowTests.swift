import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("A narrow dashboard")
struct NarrowTests {
  @Test("cuts neither the titles of columns nor the names of the samples", arguments: GoldenTests.sizes)
  func titles(width: Int, height: Int) {
    for keys in [[], ["p"], ["m"], ["w"], ["o"], ["l"], ["?"], [.enter]] as [[Key]] {
      var data = Samples.data
      data.operations = Samples.operations
      data.journal = Samples.journal
      var story = Story(width: width, height: height, data: data)
      for key in keys { story.press(key) }
      let heading = story.grid.picture.lines[1]
      #expect(!heading.contains("…"), "\(keys): \(heading)")
    }
    var story = Story(width: width, height: height)
    story.press("p")
    for name in ["backup", "khal-sync", "release.sh"] { #expect(story.grid.picture.contains(name)) }
  }

  @Test("counts the mistakes in the configuration before it counts the decisions")
  func mistakes() {
    var story = Story(width: 40, height: 10)
    story.happen(.configured(Preferences(mistakes: 4)))
    let header = story.grid.picture.lines[0]
    #expect(header.contains("2 waiting") && header.hasSuffix("4 mistakes"))
  }

  @Test("says at the first start what to try, until anything is decided")
  func firstStep() {
    #expect(
      Story(width: 40, height: 10, data: Samples.firstStart).grid.picture.contains("To try it: permtui demo"))
    #expect(!Story(width: 40, height: 10).grid.picture.contains("permtui demo"))
    let data = Samples.data(decisions: [Samples.decision("backup", Atom("photos", "read"))])
    #expect(!Story(width: 40, height: 10, data: data).grid.picture.contains("permtui demo"))
  }

  @Test("goes on with a sentence in the column where it began, if its end is the dashboard's own words")
  func sentence() {
    var story = Story(width: 40, height: 10)
    story.show(Samples.changeAlert)
    let lines = story.grid.picture.lines
    #expect(lines[1].hasPrefix(" claude in /home/ana/src/app asks to"))
    #expect(lines[2] == " change a file", "\(lines[2])")
  }

  @Test("shows what a decision stores in one line at 60×15")
  func stores() {
    var story = Story(width: 60, height: 15)
    story.press(.enter, "j", .enter)
    story.wait(1_000)
    #expect(story.grid.picture.contains("; u ends that"))
  }
}
