import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Space")
struct SpaceTests {
  @Test(
    "An alert can be read and answered at every size from 40×10 on",
    arguments: [(40, 10), (40, 24), (48, 11), (59, 14), (60, 10), (60, 15), (100, 10), (120, 12)])
  func answering(width: Int, height: Int) {
    for alert in [Samples.alert(), Samples.commandAlert, Samples.changeAlert, Samples.hostileAlert] {
      var story = Story(width: width, height: height, data: Samples.data(decisions: []), isDemo: true)
      story.show(alert)
      #expect(story.grid.picture.contains("[ Deny ]"))
      for _ in 0..<200 where story.desk.form?.hasShownAll == false {
        story.press(.down)
        story.wait(1_000)
      }
      #expect(story.grid.picture.contains("Allow"))
      #expect(story.grid.picture.contains("(1)"))
      story.wait(1_000)
      story.strike("a")
      #expect(story.takeEffects().deeds.count == 1, "\(alert.summary) at \(width)×\(height)")
    }
  }

  @Test("An alert shows at 40×10 who asks for what, and why, without scrolling")
  func lowAlert() {
    var story = Story(width: 40, height: 10)
    story.show(Samples.alert())
    let lines = story.grid.picture.lines
    for words in [
      "gives up 1:34", "backup asks to read your photos", "in ~/Pictures    r narrows it",
      "weekly copy to the NAS",
      "✓ as seen", "(1) this request", "[ Deny ]", "d deny", "Space more", "? help",
    ] { #expect(lines.contains { $0.contains(words) }, "\(words)") }
    #expect(lines.last?.contains("5/12") == true, "The last row says how much is left to read.")
  }

  @Test(
    "The waiting list shows at 40×10 who asks for what, when and why, and counts down for the selection alone"
  )
  func lowList() {
    let request = Samples.request(
      "curl", "photos", Samples.today(14, 3), reason: "fetch the album",
      givesUpAt: Story.start + .seconds(90))
    let later = Samples.request(
      "report.py", "photos", Samples.today(13, 58), givesUpAt: Story.start + .seconds(80))
    var story = Story(
      width: 40, height: 10,
      data: Samples.data(decisions: [], waiting: [request, later].map(Samples.item)))
    story.press("w")
    let picture = story.grid.picture
    #expect(picture.contains("curl asks for photos") && picture.contains("fetch the album"))
    #expect(picture.lines[2].contains("14:03") && picture.lines[3].contains("13:58"))
    #expect(picture.contains("gives up 1:30"))
    #expect(story.state.visibleEnds == [request.givesUpAt])
  }

  @Test(
    "The waiting list has a column for the end of each wait from the width on at which each of them ticks")
  func endColumn() {
    func titles(_ width: Int) -> [String] {
      ListTable(
        WaitingView.columns(width, hasHeadings: true), width: width, typesetter: Story().desk.typesetter
      ).columns
        .compactMap { $0?.title }
    }
    #expect(titles(ScreenLayout.widthForEnds).contains("Ends"))
    #expect(!titles(ScreenLayout.widthForEnds - 1).contains("Ends"))
    #expect(titles(60) == ["What", "Asked"])
  }

  @Test("An alert that takes a word still names the key that allows it at 40×10")
  func lowWord() {
    var story = Story(width: 40, height: 10)
    story.show(Samples.alert(severity: .severe))
    story.strike("6")
    for _ in 0..<20 where story.desk.form?.hasShownAll == false {
      story.press(" ")
      story.wait(1_000)
    }
    #expect(story.grid.picture.lines.last?.contains("a allow") == true)
  }

  @Test("A smaller screen says so in one line, with what waits")
  func tooSmall() {
    let story = Story(width: 39, height: 10)
    #expect(story.grid.picture.lines.filter { !$0.isEmpty } == ["   Too small: needs 40×10, 2 waiting"])
  }

  @Test("The selected row has one style from edge to edge")
  func selection() {
    let story = Story()
    let row = story.grid.row(2)
    #expect(Set(row.map(\.style)) == [Style(reverse: true)])
    #expect(story.grid.row(3).allSatisfy { !$0.style.reverse })
  }

  @Test("On a tall screen an alert is in the middle, and stays where it is while its choices change")
  func centred() {
    var story = Story(width: 120, height: 60)
    story.show(Samples.alert())
    func top(_ story: Story) -> Int? { story.grid.picture.lines.firstIndex { $0.contains("┌─ Request") } }
    let before = top(story)
    #expect((10...30).contains(before ?? 0))
    for key in ["2", "6", "r", "t"] as [Key] {
      story.strike(key)
      #expect(top(story) == before)
    }
  }

  @Test("The sorted column has a sign, which follows the order")
  func sorting() {
    var story = Story(width: 80, height: 24)
    func heading() -> String { story.grid.picture.lines[1] }
    #expect(heading().contains("Last asked▼"))
    story.press("S")
    #expect(heading().contains("Last asked▲"))
    story.press("s")
    #expect(heading().contains("Capability▲") && !heading().contains("asked▲"))
    let ascii = Story(width: 80, height: 24, measure: ASCIICellMeasure())
    #expect(ascii.grid.picture.lines[1].contains("Last askedv"))
  }

  @Test("The journal has seconds from 120 columns on", arguments: [(119, false), (120, true)])
  func seconds(width: Int, hasSeconds: Bool) {
    var data = Samples.data
    data.journal = Samples.journal
    var story = Story(width: width, height: 40, data: data)
    story.press("l")
    let list = story.grid.picture.lines.prefix(6)
    #expect(list.contains { $0.contains("14:03:10") } == hasSeconds)
  }

  @Test("A key that has no meaning in a list is told what does")
  func unknownKey() {
    var story = Story()
    story.press("z")
    #expect(story.desk.report?.text == "z does nothing here. ? lists the keys.")
    story.press("j")
    #expect(story.desk.report == nil)
  }

  @Test("The rows of a table in a notice are continued below their last cell")
  func tableInNotice() {
    var story = Story(width: 60, height: 24)
    let row = "backup          did not  photos were not allowed, so nothing was copied to the other disk"
    story.show(
      Alert(id: Alert.ID("table"), content: .notice(Notice(title: "End", message: "Done.\n\n" + row))))
    let lines = story.grid.picture.lines
    #expect(lines.contains { $0.contains("backup          did not  photos were not allowed, so") })
    #expect(lines.contains { $0.contains("                         nothing was copied to") })
    #expect(!story.grid.picture.contains("to allow"))
  }

  @Test("The key bar of a capability without an example does not offer one")
  func noExample() {
    for (key, hasExample) in [("photos", true), ("deploy", false)] {
      var story = Story(width: 120, height: 40)
      while story.state.list.selection != .capability(key) { story.press("j") }
      story.press(.enter)
      #expect((story.grid.picture.lines.last?.contains("e example") == true) == hasExample)
    }
  }

  @Test("The key bar names q and the panic key where there is room")
  func keyBar() {
    let bar = Story(width: 120, height: 40).grid.picture.lines.last ?? ""
    #expect(bar.contains("q quit") && bar.contains("! panic") && bar.contains("? help"))
  }

  @Test("An alert that has more to read names the key that shows it, until all of it was shown")
  func moreKey() {
    var story = Story(width: 60, height: 15)
    story.show(Samples.changeAlert)
    func bar() -> String { story.grid.picture.lines.first { $0.contains("d deny") } ?? "" }
    #expect(bar().contains("Space more") && !bar().contains("a allow"))
    for _ in 0..<20 where story.desk.form?.hasShownAll == false {
      story.press(" ")
      story.wait(1_000)
    }
    #expect(bar().contains("a allow") && !bar().contains("Space more"))
  }

  @Test("The row below an alert names the key to what else waits")
  func nextKey() {
    var story = Story(data: Samples.data(decisions: [], waiting: Samples.waiting.map(Samples.item)))
    story.show(Samples.alert())
    #expect(story.grid.picture.lines.contains { $0.hasPrefix(" Next (w): ") })
  }

  @Test("Requests for different parts, and programs with one name, are told apart in a narrow list")
  func similarRows() {
    let requests = ["events", "reminders"].map { part in
      Samples.request("sync-\(part)", "calendar", Samples.today(14, 3), atoms: [Atom("calendar", part)])
    }
    var story = Story(
      width: 60, height: 15, data: Samples.data(decisions: [], waiting: requests.map(Samples.item)))
    story.press("w")
    #expect(story.grid.picture.contains("calendar: events"))
    let typesetter = story.desk.typesetter
    #expect(typesetter.cutMiddle("reader@/srv/keep/bin/reader", to: 12) == "read…/reader")
    #expect(typesetter.cutMiddle("reader", to: 12) == "reader")
    #expect(typesetter.cutMiddle("reader@/srv", to: 1) == "…")
  }

  @Test("A wide screen lists more names, and says how many are left out")
  func names() {
    let decisions = (1...40).map { Samples.decision("program-\($0)", Atom("photos", "read")) }
    func names(_ width: Int) -> Int {
      let line = Story(width: width, height: 40, data: Samples.data(decisions: decisions)).grid.picture.lines[
        2]
      #expect(line.contains(" more"))
      return line.split(separator: "program-").count - 1
    }
    #expect(names(80) < names(120))
    #expect(names(120) < names(159))
  }

  @Test(
    "Details are beside the list where both have enough space",
    arguments: [(159, false), (160, true), (200, true)])
  func details(width: Int, isBeside: Bool) {
    let story = Story(width: width, height: 40)
    #expect((story.state.layout.pane?.origin.row == 1) == isBeside)
    #expect((story.state.layout.pane?.size.width ?? 0) >= 79)
  }

  @Test("The journal shows the beginning of each value in a narrow list", arguments: [80, 100, 140])
  func journal(width: Int) {
    var data = Samples.data(decisions: [])
    data.journal = [
      JournalRow(
        id: 1, at: Samples.today(14, 3), kind: "allowed by a rule", program: "claude in ~/src/webapp",
        what: "$ npm test -- tests/login.test.ts -t expiry", detail: "because of $ npm test -- {file}")
    ]
    var story = Story(width: width, height: 24, data: data)
    story.press("l")
    #expect(story.grid.picture.contains("$ npm test -- tests/log"), "\(story.grid.picture)")
  }

  @Test(
    "Lines of details are beside a list of the usual width, as soon as there is space for both",
    arguments: [(131, false), (132, true), (159, true), (200, true)], ["l", "t", "C", "p", "o"] as [Key])
  func lines(_ screen: (width: Int, isBeside: Bool), key: Key) throws {
    var story = Story(width: screen.width, height: 40)
    story.press(key)
    let pane = try #require(story.state.layout.pane)
    #expect((pane.origin.row == 1) == screen.isBeside)
    #expect(story.state.layout.list.size.width >= 79 && pane.size.width >= 51)
  }
}
