import Machine
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The mouse")
struct MouseTests {
  private func row(_ text: String, in story: Story) throws -> Position {
    let row = try #require(story.grid.picture.lines.firstIndex { $0.contains(text) })
    return Position(row: row, column: 6)
  }

  @Test("selects the row that is clicked, and does not open it")
  func click() throws {
    var story = Story()
    story.happen(.mouse(.click(try row("Camera", in: story))))
    #expect(story.grid.picture.lines.contains { $0.hasPrefix(" > Camera") })
    story.happen(.mouse(.click(try row("Camera", in: story))))
    #expect(story.state.screens.count == 1 && story.desk.form == nil)
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("selects nothing beside the rows")
  func beside() {
    var story = Story()
    let before = story.state.list.selection
    for row in [0, 22, 23, 500] { story.happen(.mouse(.click(Position(row: row, column: 3)))) }
    #expect(story.state.list.selection == before)
  }

  @Test("scrolls with the wheel, to the ends and no further")
  func wheel() {
    var story = Story()
    let first = story.state.list.selection
    story.happen(.mouse(.wheelDown))
    #expect(story.state.list.selection != first)
    for _ in 0..<5 { story.happen(.mouse(.wheelUp)) }
    #expect(story.state.list.selection == first)
  }

  @Test("sorts by the heading that is clicked, and turns the order round at the second click")
  func heading() throws {
    var story = Story()
    let heading = try row("Who may use it", in: story)
    story.happen(.mouse(.click(heading)))
    #expect(story.state.order == .name && !story.state.list.isReversed)
    story.happen(.mouse(.click(heading)))
    #expect(story.state.order == .name && story.state.list.isReversed)
  }

  @Test("answers nothing in an alert, and a click restarts the wait")
  func alert() {
    var story = Story()
    story.show(Samples.alert())
    _ = story.takeEffects()
    #expect(story.desk.prompt.isArmed)
    for row in 0..<24 {
      for column in stride(from: 0, to: 80, by: 5) {
        story.happen(.mouse(.click(Position(row: row, column: column))))
      }
    }
    #expect(!story.desk.prompt.isArmed)
    story.wait(2_000)
    #expect(story.desk.form?.alertID == Samples.alert().id && story.takeEffects().deeds.isEmpty)
  }

  @Test(
    "voids a press that does not count yet",
    arguments: [MouseEvent.wheelDown, .click(Position(row: 5, column: 5))])
  func press(mouse: MouseEvent) {
    var story = Story()
    story.show(Samples.alert())
    _ = story.takeEffects()
    story.happen(.keys(["a"]))
    story.wait(100)
    story.happen(.mouse(mouse))
    story.wait(2_000)
    #expect(story.takeEffects().deeds.isEmpty && story.desk.form != nil)
  }

  @Test("scrolls an alert that is longer than the screen")
  func scrolling() {
    var story = Story(width: 60, height: 15)
    story.show(Samples.commandAlert)
    story.happen(.mouse(.wheelDown))
    #expect((story.desk.form?.scroll ?? 0) > 0)
    story.happen(.mouse(.wheelUp))
    #expect(story.desk.form?.scroll == 0)
  }

  @Test("is read in the coding that knows every cell, and in no other")
  func decoding() {
    var decoder = InputDecoder()
    func events(_ text: String) -> [InputEvent] { decoder.feed(Array("\u{1b}\(text)".utf8), now: 0) }
    #expect(events("[<0;1;1M") == [.mouse(.click(Position(row: 0, column: 0)))])
    #expect(events("[<0;200;60M") == [.mouse(.click(Position(row: 59, column: 199)))])
    #expect(events("[<64;5;5M") == [.mouse(.wheelUp)] && events("[<65;5;5M") == [.mouse(.wheelDown)])
    for other in [
      "[<0;1;1m", "[<2;1;1M", "[<4;1;1M", "[<32;1;1M", "[<0;0;1M", "[<0;1M", "[<;1;1M", "[?0;1;1M", "[0;1;1M",
    ] {
      #expect(events(other) == [.noise], "\(other)")
    }
  }
}

@Suite("The pager")
struct PagerTests {
  @Test("gets all that a request says, escaped, from an alert and from the list")
  func text() throws {
    var story = Story()
    story.show(Samples.hostileAlert)
    _ = story.takeEffects()
    story.strike("v")
    guard case .show(let text)? = story.takeEffects().deeds.first else {
      Issue.record("nothing was shown")
      return
    }
    #expect(text.contains("Started") && !text.unicodeScalars.contains("\u{1b}"))
    #expect(story.desk.form?.alertID == Samples.hostileAlert.id)
    var list = Story(data: Samples.data(waiting: Samples.queue))
    list.press("w", "v")
    guard case .show(let row)? = list.takeEffects().deeds.first else {
      Issue.record("nothing was shown of a row")
      return
    }
    #expect(row.contains("asks for photos"))
  }

  @Test("restarts the wait when it ends, and a failure is said in the alert or in the list")
  func end() {
    var story = Story()
    story.show(Samples.alert())
    story.happen(.resized(Size(width: 80, height: 24)))
    story.happen(.hasRead(problem: "The pager ended with status 127."))
    #expect(!story.desk.prompt.isArmed)
    #expect(story.grid.picture.contains("The pager ended with status 127."))
    var list = Story()
    list.happen(.hasRead(problem: "The pager ended with status 127."))
    #expect(list.grid.picture.contains("Error: The pager ended with status 127."))
  }

  @Test("is the one that PAGER names, or less")
  func command() {
    #expect(Pager([:]).command == "less" && Pager(["PAGER": " "]).command == "less")
    #expect(Pager(["PAGER": "less -R"]).command == "less -R")
  }
}

extension RealTerminalTests {
  @Suite("the pager")
  struct PagerInTerminal {
    @Test("writes to the terminal, and says how it failed")
    func running() throws {
      let window = try TestWindow()
      let output = try #require(window.options().output as Int32?)
      #expect(Pager(["PAGER": "cat"]).show("whole text", on: output) == nil)
      #expect(Pager(["PAGER": "test \"$LESSSECURE\" = 1"]).show("text", on: output) == nil)
      #expect(
        Pager(["PAGER": "sh -c 'exit 3'"]).show("text", on: output)?.contains("status 3") == true)
      #expect(Pager(["PAGER": "sh -c 'kill -9 $$'"]).show("text", on: output) == "Signal 9 ended the pager.")
      let isMissing = Pager(["PAGER": "permtui-no-such-pager 2>&-"]).show("text", on: output)
      #expect(isMissing?.contains("status 127") == true)
    }
  }
}
