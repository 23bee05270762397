import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

/// The pictures of the documentation. `make screenshots` redraws them; here they must match the program's present
/// drawings.
@Suite("The pictures in the documentation")
struct ScreenshotTests {
  private func check(_ story: Story, _ name: String, _ title: String) throws {
    try Golden.check(document: story.grid.picture.svg(title: title), "docs/screens/\(name).svg")
  }

  @Test("show the capabilities")
  func capabilities() throws {
    try check(
      Story(width: 80, height: 20), "capabilities", "The dashboard: every capability, and who may use it")
  }

  @Test("show a request")
  func request() throws {
    var story = Story(width: 80, height: 24)
    story.show(Samples.alert())
    try check(
      story, "request", "A request to read photos, with all that is known about the program that asks")
  }

  @Test("show a coding agent's request")
  func agent() throws {
    var story = Story(width: 80, height: 24)
    story.show(Samples.commandAlert)
    try check(story, "agent", "A coding agent asks to run three command lines, and is told nothing yet")
  }

  @Test("show a program behind walls that waits")
  func walls() throws {
    var story = Story(width: 80, height: 24)
    story.show(Samples.walledAlert)
    try check(story, "walls", "A program behind walls waits until it may write a file")
  }

  @Test("show what waits")
  func waiting() throws {
    var story = Story(width: 80, height: 20, data: Samples.data(waiting: Samples.queue))
    story.press("w")
    try check(story, "waiting", "What waits for an answer")
  }

  @Test("show a day with an agent, as a moving picture of at most 300 KB")
  func recording() throws {
    let recording = TerminalTesting.ScreenPicture.animation(
      Self.frames, title: "A coding agent asks, is answered once, for eight hours, and not at all")
    #expect(recording.utf8.count <= 300_000)
    try Golden.check(document: recording, "docs/screens/demo.svg")
  }

  /// The screens of a recorded story, each with the time for which it is shown.
  private static var frames: [(screen: TerminalTesting.ScreenPicture, seconds: Double)] {
    var story = Story(width: 80, height: 24, data: Samples.data(waiting: Samples.queue))
    var frames: [(screen: TerminalTesting.ScreenPicture, seconds: Double)] = []
    func show(_ seconds: Double) { frames.append((story.grid.picture, seconds)) }
    show(3)
    story.present(Samples.commandAlert)
    story.wait(600)
    show(0.7)
    story.wait(1_000)
    show(4)
    story.happen(.keys(["a"]))
    show(0.6)
    story.wait(1_500)
    story.show(Samples.changeAlert)
    show(3)
    story.strike("5")
    show(2)
    story.happen(.keys(["a"]))
    show(0.6)
    story.wait(1_500)
    story.press("w")
    show(3)
    story.press("t")
    story.happen(.changed(DayViewTests.data(story.desk.today)))
    story.press(.enter)
    show(4)
    return frames
  }
}
