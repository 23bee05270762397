import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The desktop's rows line by line")
struct PlainDesktopTests {
  private static let camera = DesktopEntries.ID(table: "devices", thing: "camera", app: "org.example.Cam")
  private static let place = DesktopEntries.ID(table: "location", thing: "location", app: "org.example.Map")
  private static let nameless = DesktopEntries.ID(table: "devices", thing: "camera", app: "")
  private static let document = DesktopEntries.ID(table: "documents", thing: "1a2b", app: "org.example.Cam")

  private func story(_ rows: [DesktopEntries.ID: [String]]) -> PlainStory {
    var story = PlainStory()
    story.happen(.desktop(rows.map { .init(id: $0.key, permissions: $0.value) }))
    return story
  }

  private func said(_ line: String, in story: inout PlainStory) -> [String] {
    _ = story.takePaper()
    story.enter(line)
    return story.paper.split(separator: "\n").dropFirst().map { String($0) }
  }

  /// Makes the change that the last line led to, as the desktop's service does, and returns it.
  private func make(_ story: inout PlainStory) -> DesktopChange? {
    for case .changeDesktop(let change, let step) in story.takeEffects() {
      story.happen(.desktop([.init(id: change.id, permissions: change.after)]))
      story.happen(.changedDesktop(change, step))
      return change
    }
    return nil
  }

  @Test(
    "Each list that has a program's or a capability's decisions has the rows, marked as the desktop's",
    arguments: [
      "desktop", "programs", "status camera", "status org.example.Cam", "status app:org.example.Cam",
      "find org.example",
    ])
  func listed(_ line: String) {
    var story = story([Self.camera: ["no"]])
    #expect(said(line, in: &story).contains("org.example.Cam: desktop: devices/camera no"))
    story.happen(.desktop([.init(id: Self.camera, permissions: ["ask"])]))
    #expect(said(line, in: &story).contains("org.example.Cam: desktop: devices/camera ask"))
  }

  @Test("A program's decisions are followed by its rows")
  func ofProgram() throws {
    let program = try #require(Subject(vouched: "app:org.example.Cam"))
    let decision = Decision(
      subject: program, atom: Atom("camera"), verdict: .deny, lifetime: .forever,
      origin: .dashboard(id: Samples.here), decidedAt: Story.start)
    var story = PlainStory(data: Samples.data(decisions: [decision]))
    story.happen(.desktop([.init(id: Self.camera, permissions: ["no"])]))
    let lines = said("status app:org.example.Cam", in: &story)
    #expect(lines.count > 2)
    #expect(lines.contains("org.example.Cam: desktop: devices/camera no"))
  }

  @Test("Without rows, the word says why there may be none")
  func none() {
    var story = PlainStory()
    #expect(said("desktop", in: &story).first?.hasPrefix("There is no row of the desktop.") == true)
  }

  @Test("change narrows a row, remove takes it away, undo and redo take both back and make them again")
  func changed() {
    var story = story([Self.place: ["EXACT", "7"]])
    _ = said("desktop change org.example.Map location", in: &story)
    #expect(make(&story) == DesktopChange(id: Self.place, before: ["EXACT", "7"], after: ["CITY", "7"]))
    #expect(
      story.paper.contains(
        "Desktop: org.example.Map, location: CITY 7, was EXACT 7. The word undo takes it back."))
    _ = said("desktop remove org.example.Map location/location", in: &story)
    #expect(make(&story)?.after == nil)
    _ = said("undo", in: &story)
    #expect(make(&story)?.after == ["CITY", "7"])
    #expect(story.paper.contains("Undone: org.example.Map, location: CITY 7, was no row."))
    _ = said("redo", in: &story)
    #expect(make(&story) == DesktopChange(id: Self.place, before: ["CITY", "7"], after: nil))
  }

  @Test("A row that allows nothing is widened only after a question")
  func widened() {
    var story = story([Self.camera: ["no"]])
    _ = said("desktop change app:org.example.Cam camera", in: &story)
    #expect(make(&story) == nil)
    #expect(story.paper.contains("Allow this on the desktop?"))
    story.enter("cancel")
    #expect(make(&story) == nil)
    _ = said("desktop change org.example.Cam devices/camera", in: &story)
    story.enter("confirm")
    #expect(make(&story) == DesktopChange(id: Self.camera, before: ["no"], after: ["yes"]))
  }

  @Test("After a decision, undo is about that decision")
  func decisionAfterwards() {
    var story = story([Self.camera: ["yes"]])
    _ = said("desktop change org.example.Cam camera", in: &story)
    #expect(make(&story) != nil)
    _ = said("allow backup calendar", in: &story)
    _ = story.takeEffects()
    _ = said("undo", in: &story)
    #expect(story.takeEffects() == [.find(.undo)])
  }

  @Test(
    "A line that names no row, several, or one of another service changes nothing, and says why",
    arguments: [
      (
        "desktop change org.example.Cam microphone",
        "The desktop has no row about microphone of org.example.Cam."
      ),
      (
        "desktop change org.example.Nobody camera",
        "The desktop has no row about camera of org.example.Nobody."
      ),
      ("desktop remove org.example.Cam 1a2b", "This row belongs to another service of the desktop."),
      ("desktop change org.example.Cam", "Type: desktop [change or remove APP THING]"),
      ("desktop widen org.example.Cam camera", "Type: desktop [change or remove APP THING]"),
      ("desktop change org.example.Two one", "one fits several rows; name one of a/one, b/one."),
    ])
  func refused(_ line: String, _ reply: String) {
    var rows: [DesktopEntries.ID: [String]] = [Self.camera: ["yes"], Self.document: ["read"]]
    for table in ["a", "b"] { rows[.init(table: table, thing: "one", app: "org.example.Two")] = ["yes"] }
    var story = story(rows)
    #expect(said(line, in: &story).contains { $0.hasPrefix(reply) })
    #expect(make(&story) == nil)
  }

  @Test("Apps without a name are named in quotes, and a name with escapes is shown harmlessly")
  func names() {
    let evil = DesktopEntries.ID(table: "devices", thing: "camera", app: "org.evil\u{1b}[31m\u{202e}")
    var story = story([Self.nameless: ["yes"], evil: ["yes\u{1b}[2J"]])
    let lines = said("desktop", in: &story)
    #expect(lines.contains("apps without a name: desktop: devices/camera yes"))
    #expect(!lines.joined().contains { ["\u{1b}", "\u{202e}"].contains($0) })
    _ = said("desktop change \"apps without a name\" camera", in: &story)
    #expect(make(&story)?.id == Self.nameless)
  }
}
