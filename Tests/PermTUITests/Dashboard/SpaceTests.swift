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

  @Test("The key bar names q and the panic key where there is room")
  func keyBar() {
    let bar = Story(width: 120, height: 40).grid.picture.lines.last ?? ""
    #expect(bar.contains("q quit") && bar.contains("! panic") && bar.contains("? help"))
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
}
