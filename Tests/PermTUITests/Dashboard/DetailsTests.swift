import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The details of the selection")
struct DetailsTests {
  /// Details of a request that are many lines long. Each line is different.
  private static let long = Request(
    id: Request.ID("long"), subject: Subject(label: "backup", path: Samples.evidence.program),
    capability: "files", atoms: [Atom("files", "write", Samples.path("/srv/notes.txt"))],
    askedAt: Samples.today(14, 2), evidence: Samples.evidence,
    details: ShownDetails((10..<70).map { "+ person\($0)\n" }.joined()))

  private func story(_ requests: [Request] = [long, Samples.queue[0]]) -> Story {
    var data = Samples.data(decisions: [], waiting: requests.map(Samples.item))
    data.capabilities +=
      CapabilityCatalogue.builtIn["files"].map { [CapabilityRow($0, nil, lastAsked: nil)] } ?? []
    var story = Story(width: 110, height: 20, data: data)
    story.press("w", "g")
    return story
  }

  /// The people that the details on the screen name.
  private func people(_ story: Story) -> [Int] {
    story.grid.picture.lines.compactMap { line in
      line.split(separator: "person").dropFirst().first.flatMap { Int($0.prefix(2)) }
    }
  }

  @Test("are scrolled by the keys after Tab, while the selection stays")
  func scroll() {
    var story = story()
    let (first, selection) = (people(story), story.state.list.selection)
    #expect(first.first == 10)
    story.press(.tab, .down, .down)
    #expect(people(story).count >= first.count && people(story).last != first.last)
    #expect(story.state.list.selection == selection)
    story.press("g")
    #expect(people(story) == first)
  }

  @Test("are read whole, page by page", arguments: [Key.pageDown, " "])
  func pages(key: Key) {
    var story = story()
    story.press(.tab)
    var read = people(story)
    for _ in 0..<10 {
      story.press(key)
      read += people(story)
    }
    #expect(Set(read) == Set(10..<70))
    #expect(!story.grid.picture.contains("more lines") && story.state.marked.isEmpty)
  }

  @Test("give the keys back to the list", arguments: [Key.tab, .backTab, .escape])
  func back(key: Key) {
    var story = story()
    story.press(.tab, .pageDown, key)
    #expect(people(story).first == 10)
    #expect(story.state.context == .waiting)
    let selection = story.state.list.selection
    story.press(.down)
    #expect(story.state.list.selection != selection)
  }

  @Test("answer nothing, also with other requests marked")
  func answers() {
    var story = story()
    story.press(" ", "g", .tab)
    _ = story.takeEffects()
    for key: Key in ["a", "d", "y", "1", "D", "K", "M"] {
      story.press(key)
      #expect(story.state.list.detailsTop == 0)
      #expect(story.desk.form == nil)
    }
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("lose the keys when another row is selected, as when a request is withdrawn")
  func withdrawn() {
    var story = story()
    story.press(.tab, .pageDown)
    #expect(story.state.list.detailsTop ?? 0 > 0)
    story.happen(.changed(Samples.data(decisions: [], waiting: [Samples.item(Samples.queue[0])])))
    #expect(story.state.list.detailsTop == nil)
    #expect(story.grid.picture.contains("album of the last holidays"))
  }

  @Test("are scrolled by the wheel while they have the keys")
  func wheel() {
    var story = story()
    story.press(.tab)
    let first = people(story)
    story.happen(.mouse(.wheelDown))
    #expect(people(story) != first)
    story.happen(.mouse(.wheelUp))
    #expect(people(story) == first)
  }

  @Test("take no keys where nothing is hidden, and say why")
  func whole() {
    var story = story([Samples.queue[0]])
    story.press(.tab)
    #expect(story.state.list.detailsTop == nil)
    #expect(story.grid.picture.contains("All details are on the screen."))
    story.press("m", .tab)
    #expect(story.state.list.detailsTop == nil)
  }

  @Test("are scrolled on no bar that has nothing to scroll")
  func bar() {
    #expect(story().grid.picture.contains("Tab details"))
    #expect(!story([Samples.queue[0]]).grid.picture.contains("Tab details"))
    var story = story()
    story.press(.tab)
    #expect(story.grid.picture.contains("Tab list"))
  }

  @Test("leave Tab to the buttons while an alert is open")
  func alert() {
    var story = Story(width: 200, height: 60)
    story.show(Samples.alert())
    story.strike(.tab)
    #expect(story.desk.form?.focus == 1)
    #expect(story.state.list.detailsTop == nil)
  }
}
