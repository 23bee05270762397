import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Settings that change while the dashboard is open")
struct PreferencesTests {
  @Test("Keys count at once, and the header says how many mistakes the file has")
  func change() {
    var story = Story()
    story.press("!")
    #expect(story.takeEffects().deeds == [.setPanic(true)])
    story.happen(.configured(Preferences(keys: KeyTable(changes: [.panic: ["z"]]), mistakes: 2)))
    #expect(story.grid.picture.lines.first?.hasSuffix("2 mistakes: permtui doctor") == true)
    story.press("z")
    #expect(story.takeEffects().deeds == [.setPanic(true)])
    story.happen(.configured(Preferences()))
    #expect(story.grid.picture.lines.first?.contains("mistake") == false)
  }

  @Test(
    "Changed settings restart the wait before an answer, because a key can have another meaning then")
  func openAlert() {
    var story = Story()
    story.show(Samples.alert())
    story.happen(.configured(Preferences(keys: KeyTable(changes: [.allow: ["x"]]))))
    story.press("x")
    story.wait(250)
    #expect(story.takeEffects().deeds.isEmpty)
    #expect(story.desk.form != nil)
  }
}
