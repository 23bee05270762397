import PermBroker
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The room of lists and lines")
struct RoomTests {
  private func bar(_ story: Story) -> String { story.grid.picture.lines.last ?? "" }

  private func waiting(_ width: Int, _ height: Int, _ requests: [Request] = Samples.queue) -> Story {
    var story = Story(width: width, height: height, data: Samples.data(waiting: requests))
    story.press("w")
    return story
  }

  private var commands: DashboardData {
    var data = Samples.data(decisions: [])
    data.capabilities =
      CapabilityCatalogue.builtIn["commands"].map { [CapabilityRow($0, nil, lastAsked: nil)] } ?? []
    data.waiting = ["git status", "git push origin main"].enumerated().map { place, line in
      Samples.item(
        Samples.request(
          "claude\(place)", "commands", Samples.today(14, place), reason: "to see what changed",
          givesUpAt: Samples.today(14, 20), atoms: [Samples.commandAtom(line)]))
    }
    return data
  }

  @Test("At 80 columns the waiting list shows what is asked for, and why, in full")
  func whatAndWhy() {
    var story = Story(data: commands)
    story.press("w")
    let lines = story.grid.picture.lines
    #expect(!lines[1].contains("Where"))
    #expect(lines[3].contains("$ git status ") && lines[3].contains("to see what changed"))
    #expect(lines[5].contains("$ git push origin main"))
    #expect(lines[5].contains("14:01") && lines[5].contains("14:20"))
  }

  @Test("A wide journal cuts nothing as long as other columns have free cells", arguments: [80, 120, 200])
  func journal(width: Int) {
    var data = Samples.data
    data.journal = [
      JournalRow(
        id: 1, at: Samples.today(14, 3), kind: "allowed unasked", program: "agent-1",
        what: "network:connect@api.github.com:443", detail: "rule")
    ]
    var story = Story(width: width, height: 40, data: data)
    story.press("l")
    let row = story.grid.picture.lines[2]
    #expect(row.contains("allowed unasked"))
    #expect(row.contains("network:connect@api.github.com:443") == (width >= 120))
  }

  @Test("At 80 columns a program's view says by whom each decision was made", arguments: [false, true])
  func author(hasValues: Bool) {
    let atom = hasValues ? Samples.commandAtom("ls") : Atom("photos", "read")
    let decision = Samples.decision(
      "backup", atom, .allow, .forever, origin: .dashboard(id: "81234.5f0c"), at: Story.start + .seconds(1))
    var story = Story(data: Samples.data(decisions: [decision]))
    story.wait(2_000)
    story.press("p", .enter)
    #expect(story.grid.picture.contains("dashboard 81234, not here"))
  }

  @Test("The matrix begins with the capabilities that wait or hold now")
  func matrix() {
    var data = Samples.data(decisions: [Samples.decision("backup", Atom("photos", "read"))])
    for place in data.capabilities.indices where data.capabilities[place].unavailability == nil {
      data.capabilities[place].lastAsked = data.capabilities[place].id == "deploy" ? nil : Story.start
    }
    data.waiting = [Samples.item(Samples.request("curl", "location", Story.start))]
    var story = Story(data: data)
    story.press("m")
    let names = story.state.matrixCapabilities.map(\.id)
    #expect(names == ["location", "photos", "calendar", "camera", "cloud", "deploy"])
  }

  @Test("A program that waits for one capability twice is listed with it once")
  func awaitedOnce() {
    let atoms: [Set<Atom>] = [[Atom("photos", "read")], [Atom("photos", "add only")]]
    let requests = atoms.map { Samples.request("agent-7", "photos", Story.start, atoms: $0) }
    var data = Samples.data(decisions: [], waiting: requests.map(Samples.item))
    data.waiting[1].id = Alert.ID("other")
    var story = Story(data: data)
    story.press("p")
    #expect(story.grid.picture.contains("? Photos ") && !story.grid.picture.contains("Photos, Photos"))
  }

  @Test(
    "The keys that answer marked requests are named at every size", arguments: [(40, 10), (60, 15), (80, 24)])
  func markedKeys(width: Int, height: Int) {
    var story = waiting(width, height)
    #expect(bar(story).contains("Enter open") && bar(story).contains("Space mark"))
    if width >= 60 { #expect(bar(story).contains("d deny ") && bar(story).contains("a allow ")) }
    story.press(" ", " ")
    #expect(bar(story).contains("d deny 2") && bar(story).contains("a allow 2"), "\(bar(story))")
    #expect(bar(story).contains("? help"))
  }

  @Test("A form that was not read to its end says so in full at 40×10")
  func scrollHint() {
    var story = Story(width: 40, height: 10)
    story.show(Samples.alert())
    story.strike("a")
    #expect(story.grid.picture.lines.last?.contains("Unread: ") == true)
    #expect(story.grid.picture.lines.last?.contains(" goes there") == true)
  }

  @Test("The key that forgets is named only where something is decided")
  func forget() {
    var story = Story(data: Samples.data(decisions: [Samples.decision("backup", Atom("photos", "read"))]))
    for name in ["photos", "camera"] {
      story.press("g")
      for _ in 0..<20 where story.state.list.selection != .capability(name) { story.press("j") }
      #expect(story.state.list.selection == .capability(name))
      #expect(bar(story).contains("x forget") == (name == "photos"))
    }
    var waiting = Story(data: Samples.data(decisions: [], waiting: Samples.waiting.map(Samples.item)))
    waiting.press("p")
    #expect(!bar(waiting).contains("forget"))
  }

  @Test("A key that asks for a typed word says which word follows")
  func typedWord() {
    var story = Story(width: 100, height: 40)
    story.show(
      Alert(
        id: Alert.ID("delete"),
        content: .confirmation(
          Confirmation(title: "Delete?", message: "All.", action: "Delete", typedWord: "delete"))))
    #expect(story.grid.picture.contains("y yes, type delete   "))
    var severe = Story(width: 100, height: 40)
    severe.show(Samples.alert(severity: .severe))
    severe.strike("6")
    #expect(severe.grid.picture.contains("a allow, type photos   "))
  }

  @Test("q closes a question as Esc does, and no letter moves the focus to a button")
  func question() {
    var story = waiting(80, 24)
    story.press(" ", " ", "d")
    story.wait(1_000)
    story.strike("l", .enter)
    #expect(story.takeEffects().deeds.isEmpty)
    var left = waiting(80, 24)
    left.press(" ", " ", "d")
    left.wait(1_000)
    left.strike("q")
    #expect(left.desk.form == nil && left.takeEffects().deeds.isEmpty)
    #expect(left.state.screen == .waiting)
    for key in ["l", "h"] as [Key] {
      var alert = Story()
      alert.show(Samples.alert())
      alert.strike(key)
      #expect(alert.desk.form?.focus == 0)
    }
  }

  @Test("Help names the keys for the lifetimes in one row")
  func lifetimes() {
    let lines = KeyTable.usual.helpLines(for: .request)
    #expect(lines.map(\.keys).filter { $0.hasPrefix("1") || $0.hasPrefix("4") } == ["1 2 3 4 5 6"])
    #expect(!lines.contains { $0.text == "third choice" })
  }

  @Test("Several harmless requests are allowed together without a word, once all were shown")
  func withoutWord() {
    var story = waiting(80, 24)
    story.press(" ", " ", " ", "a")
    story.wait(1_000)
    story.strike("y")
    let effects = story.takeEffects().deeds
    #expect(effects.count == 1 && story.desk.form == nil)
  }

  @Test("The answers that were kept together are undone together")
  func undoTogether() {
    var story = waiting(80, 24)
    story.happen(.reported(Report(text: "Denied 2 of 2.", isUndoable: true, changes: [7, 8])))
    #expect(story.grid.picture.contains("Denied 2 of 2.  u undoes it"))
    story.press("u")
    #expect(story.takeEffects().deeds == [.takeAll(.undo, [7, 8])])
  }
}
