import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The rows of the desktop's permission store in the dashboard")
struct DesktopTests {
  private static let camera = DesktopEntries.ID(table: "devices", thing: "camera", app: "org.example.Cam")
  private static let place = DesktopEntries.ID(table: "location", thing: "location", app: "org.example.Map")
  private static let document = DesktopEntries.ID(table: "documents", thing: "1a2b", app: "org.example.Cam")

  private func story(_ rows: [DesktopEntries.ID: [String]], width: Int = 100) -> Story {
    var story = Story(width: width, data: Samples.data(decisions: []))
    story.happen(.desktop(rows.map { .init(id: $0.key, permissions: $0.value) }))
    return story
  }

  /// Returns a story in which the only row is selected in the list of programs.
  private func listed(_ id: DesktopEntries.ID, _ permissions: String...) -> Story {
    var story = story([id: permissions])
    story.press("p")
    while story.state.list.selection != .desktop(id),
      story.state.list.selected + 1 < story.state.list.rows.count
    {
      story.press(.down)
    }
    return story
  }

  /// Makes the change that the last key led to, as the desktop's service does, and returns it.
  private func make(_ story: inout Story) -> DesktopChange? {
    for case .changeDesktop(let change, let step) in story.takeEffects() {
      story.happen(.desktop([.init(id: change.id, permissions: change.after)]))
      story.happen(.changedDesktop(change, step))
      return change
    }
    return nil
  }

  @Test("Programs list the rows in the desktop's terms, marked as the desktop's")
  func programs() {
    let story = listed(Self.place, "CITY", "0")
    #expect(story.grid.picture.contains("org.example.Map"))
    #expect(story.grid.picture.contains("desktop: location CITY 0"))
    #expect(story.grid.picture.contains("The desktop's own store says: CITY 0"))
  }

  @Test("A row is live: it changes, comes and goes as somebody else changes it")
  func live() {
    var story = listed(Self.camera, "yes")
    story.happen(.desktop([.init(id: Self.camera, permissions: ["no"])]))
    #expect(story.grid.picture.contains("desktop: devices/camera no"))
    story.happen(.desktop([.init(id: Self.place, permissions: ["NONE", "0"])]))
    #expect(story.grid.picture.contains("desktop: location NONE 0"))
    story.happen(.desktop([.init(id: Self.camera, permissions: nil)]))
    #expect(!story.grid.picture.contains("devices/camera"))
  }

  @Test("The pane and the view of a capability list the rows that are about it")
  func capability() {
    var story = story([Self.camera: ["no"], Self.place: ["EXACT", "7"]])
    story.press("/")
    story.type("camera")
    story.press(.enter)
    #expect(story.grid.picture.contains("org.example.Cam"))
    #expect(story.grid.picture.contains("✕ no"))
    #expect(!story.grid.picture.contains("org.example.Map"))
    story.press(.enter)
    #expect(story.state.list.rows.contains(.desktop(Self.camera)))
    #expect(story.grid.picture.contains("desktop"))
  }

  @Test("x removes a row, u puts it back, and U removes it again")
  func removed() {
    var story = listed(Self.camera, "yes")
    story.press("x")
    #expect(make(&story) == DesktopChange(id: Self.camera, before: ["yes"], after: nil))
    #expect(story.grid.picture.contains("org.example.Cam, devices/camera: no row, was yes."))
    story.press("u")
    #expect(make(&story) == DesktopChange(id: Self.camera, before: nil, after: ["yes"]))
    story.press("U")
    #expect(make(&story) == DesktopChange(id: Self.camera, before: ["yes"], after: nil))
  }

  @Test("Enter narrows a location: exact, city, none")
  func narrowed() {
    var story = listed(Self.place, "EXACT", "7")
    story.press(.enter)
    #expect(make(&story)?.after == ["CITY", "7"])
    story.press(.enter)
    #expect(make(&story)?.after == ["NONE", "7"])
    story.press("u")
    #expect(make(&story)?.after == ["CITY", "7"])
    story.press("u")
    #expect(make(&story)?.after == ["EXACT", "7"])
  }

  @Test("A row that allows nothing is widened only after a question", arguments: [place, camera])
  func widened(_ id: DesktopEntries.ID) {
    var story = listed(id, id == Self.place ? "NONE" : "no")
    story.press(.enter)
    #expect(make(&story) == nil)
    #expect(story.grid.picture.contains("Allow this on the desktop?"))
    story.wait(2_000)
    story.strike("y")
    #expect(make(&story)?.after == [id == Self.place ? "EXACT" : "yes"])
  }

  @Test("Undo leaves alone what somebody else has changed since")
  func changedMeanwhile() {
    var story = listed(Self.camera, "yes")
    story.press(.enter)
    #expect(make(&story)?.after == ["no"])
    story.happen(.desktop([.init(id: Self.camera, permissions: ["ask"])]))
    story.press("u")
    #expect(make(&story) == nil)
    #expect(story.grid.picture.contains("was changed meanwhile"))
  }

  @Test("After a decision, undo is about that decision")
  func decisionAfterwards() {
    var story = listed(Self.camera, "yes")
    story.press(.enter)
    #expect(make(&story) != nil)
    story.happen(.reported(Report(text: "Allowed photos for backup.", isUndoable: true)))
    story.press("u")
    #expect(story.takeEffects().deeds == [.find(.undo)])
  }

  @Test("Keys that arrive with others change nothing")
  func hasty() {
    for key in [Key.enter, "x"] {
      var story = listed(Self.camera, "yes")
      story.happen(.keys([key], amidOthers: true))
      #expect(make(&story) == nil)
    }
  }

  @Test("The rows of another service are only shown")
  func documents() {
    for key in [Key.enter, "x"] {
      var story = listed(Self.document, "read", "write")
      #expect(story.grid.picture.contains("only shown"))
      story.press(key)
      #expect(make(&story) == nil)
    }
  }

  @Test("An app's name with escapes is shown harmlessly")
  func hostile() {
    let id = DesktopEntries.ID(table: "devices", thing: "camera", app: "org.evil\u{1b}[31m\u{202e}")
    let picture = listed(id, "yes\u{1b}[2J").grid.picture
    #expect(picture.contains("org.evil"))
    #expect(!picture.contains("\u{1b}") && !picture.contains("\u{202e}"))
  }

  @Test("Lines of the program become rows; unknown lines are passed over")
  func lines() {
    let text = """
      {"app":"org.example.Cam","id":"camera","permissions":["yes"],"table":"devices"}
      {}
      {"app":"org.example.Map","id":"location","table":"location"}
      """
    #expect(
      DesktopProgram.news(Array(text.utf8)) == [
        .init(id: Self.camera, permissions: ["yes"]), .init(id: Self.place, permissions: nil),
      ])
  }

  @Test("Rows that arrive in parts are listed in order, with the first one selected; a single one comes last")
  func parts() {
    var story = listed(Self.place, "CITY", "0")
    let ids = (10..<60).map {
      DesktopEntries.ID(table: "devices", thing: "camera", app: "org.example.A\($0)")
    }
    for part in [ids[25...], ids[..<25]] {
      story.happen(.desktop(part.map { .init(id: $0, permissions: ["yes"]) }))
    }
    #expect(story.state.list.rows == ids.map { .desktop($0) } + [.desktop(Self.place)])
    #expect(story.state.list.selection == .desktop(ids[0]))
    story.press(.down)
    story.happen(.desktop([.init(id: Self.camera, permissions: ["yes"])]))
    #expect(story.state.list.rows.last == .desktop(Self.camera))
    #expect(story.state.list.selection == .desktop(ids[1]))
  }

  @Test("A few rows that come and go leave the others in order")
  func few() {
    var entries = DesktopEntries()
    _ = entries.take([
      .init(id: Self.place, permissions: ["CITY"]), .init(id: Self.camera, permissions: ["no"]),
    ])
    #expect(entries.ids == [Self.camera, Self.place])
    #expect(entries.ids(of: "org.example.Cam") == [Self.camera])
    #expect(entries.ids(about: "camera") == [Self.camera])
    // A row that goes and comes again at once is there once.
    let again = [DesktopEntries.News(id: Self.camera), .init(id: Self.camera, permissions: ["yes"])]
    let isAgain = entries.take(again)
    #expect(isAgain && entries.ids == [Self.camera, Self.place])
    let isGone = entries.take([.init(id: Self.camera)])
    #expect(isGone && entries.ids == [Self.place] && entries.ids(about: "camera").isEmpty)
    let isGoneTwice = entries.take([.init(id: Self.camera)])
    #expect(!isGoneTwice)
  }

  @Test("Many rows are in order, whatever the order in which they come")
  func order() {
    var entries = DesktopEntries()
    let ids = (0..<500).map {
      DesktopEntries.ID(table: "devices", thing: "camera", app: "org.example.A\($0)")
    }
    let came = ids.shuffled().map { entries.take([.init(id: $0, permissions: ["yes"])]) }
    #expect(came.allSatisfy { $0 })
    #expect(entries.ids == ids.sorted())
    let isChange = entries.take([.init(id: ids[7], permissions: ["no"])])
    let isRemoval = entries.take(ids.prefix(499).map { .init(id: $0, permissions: nil) })
    #expect(!isChange && isRemoval)
    #expect(entries.ids(about: "camera") == [ids[499]])
  }
}
