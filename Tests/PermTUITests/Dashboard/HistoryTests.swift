import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("Undo and redo from the dashboard")
struct HistoryTests {
  private let here = Origin.dashboard(id: Samples.here)

  /// Returns the preview of a change that allowed `backup` the photos.
  static func preview(by origin: Origin, at moment: Timestamp, id: DecisionChange.ID = 7) -> UndoPreview {
    let decision = Decision(
      subject: Subject(label: "backup"), atom: Atom("photos", "read"), verdict: .allow, lifetime: .forever,
      origin: origin, decidedAt: moment)
    var entry = JournalEntry(at: moment, kind: .decided, origin: origin, subject: decision.subject)
    entry.after = decision
    return UndoPreview(
      change: DecisionChange(id: id, entries: [entry]), origin: origin, at: moment, conflicts: [])
  }

  private func news(_ change: DecisionChange.ID?, by origin: Origin) -> Action {
    .noticed([
      DecisionNews(
        id: .init(subject: Subject(label: "backup"), capability: "photos"), origin: origin, at: Story.start,
        isGone: false, change: change)
    ])
  }

  @Test("u takes back the change that the status line names, even if another one has followed")
  func named() {
    var story = Story()
    story.happen(.reported(Report(text: "Allowed photos for backup.", isUndoable: true)))
    story.happen(news(7, by: here))
    story.happen(news(8, by: .commandLine))
    story.press("u")
    #expect(story.takeEffects().deeds == [.take(.undo, 7)])
  }

  @Test("u looks for the change, too, that the status line has named for more than five minutes")
  func namedLongAgo() {
    var story = Story()
    story.happen(.reported(Report(text: "Allowed photos for backup.", isUndoable: true)))
    story.happen(news(7, by: here))
    story.wait(300_001)
    story.press("u")
    let effects = story.takeEffects()
    #expect(effects.contains(.find(.undo)) && !effects.contains(.take(.undo, 7)))
  }

  @Test(
    "When the change that the status line names is undone elsewhere, the line says so, and u does not name it"
  )
  func undoneElsewhere() {
    let id = DecisionNews.ID(subject: Subject(label: "backup"), capability: "photos")
    for other in [Origin.dashboard(id: "other"), here] {
      var story = Story()
      story.happen(.reported(Report(text: "Allowed photos for backup.", isUndoable: true)))
      story.happen(news(7, by: here))
      story.happen(.noticed([DecisionNews(id: id, origin: other, at: Story.start, isGone: true, undoes: 6)]))
      #expect(story.grid.picture.contains("Allowed photos for backup."))
      story.happen(.noticed([DecisionNews(id: id, origin: other, at: Story.start, isGone: true, undoes: 7)]))
      let isTold = story.grid.picture.contains("Taken back by another dashboard: photos for backup.")
      #expect(isTold == (other != here))
      #expect(story.grid.picture.contains("Allowed photos for backup.") != isTold)
      guard isTold else { continue }
      story.press("u")
      #expect(story.takeEffects().deeds == [.find(.undo)])
    }
  }

  @Test("An undo in the journal names the change that it undoes")
  func undoneInJournal() throws {
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    let ruling = Ruling(.allow, subject: Subject(label: "backup"), atoms: [Atom("photos", "read")])
    try store.decide(ruling, by: here)
    try store.undo(by: .dashboard(id: "other"))
    let news = try store.journal(.all, .newer(than: 0, 9)).compactMap(DecisionNews.init)
    #expect(news.count == 2 && news[0].change != nil && news[1].undoes == news[0].change)
  }

  @Test("u without a named change looks for the next one")
  func search() {
    var story = Story()
    story.happen(.reported(Report(text: "Allowed photos for backup.", isUndoable: true)))
    story.happen(news(7, by: here))
    story.press("j", "u")
    #expect(story.takeEffects().deeds == [.find(.undo)])
    story.press("U")
    #expect(story.takeEffects().deeds == [.find(.redo)])
  }

  @Test("A change that the person has just made here is undone without a question")
  func ownAndRecent() {
    var story = Story()
    story.happen(.found(.undo, Self.preview(by: here, at: Story.start)))
    #expect(story.takeEffects().deeds == [.take(.undo, 7)])
    #expect(story.desk.form == nil)
  }

  @Test("A change made elsewhere, before the start or long ago is undone only after a question that names it")
  func othersAndOld() {
    let origins: [(Origin, wait: Int64)] = [(.commandLine, 0), (here, 300_001)]
    for (origin, wait) in origins {
      var story = Story()
      story.wait(wait)
      story.happen(.found(.undo, Self.preview(by: origin, at: Story.start)))
      story.wait(1_200)
      #expect(!story.takeEffects().contains(.take(.undo, 7)))
      #expect(story.grid.picture.contains("Undo this change?"))
      #expect(story.grid.picture.contains("photos: read for backup, allowed forever"))
      story.strike("y")
      #expect(story.takeEffects().deeds == [.take(.undo, 7)])
    }
    var story = Story()
    let earlier = Timestamp(microseconds: Story.start.microseconds - 1)
    story.happen(.found(.redo, Self.preview(by: here, at: earlier)))
    story.wait(1_200)
    #expect(story.grid.picture.contains("Redo this change?"))
    story.strike("n")
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("No question replaces an alert that came up meanwhile")
  func alertFirst() {
    var story = Story()
    story.show(Samples.alert())
    story.happen(.found(.undo, Self.preview(by: .commandLine, at: Story.start)))
    #expect(story.desk.form?.alert != nil)
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("The status line says what was undone, and that U redoes it; u takes back what was redone")
  func reports() {
    let change = Self.preview(by: here, at: Story.start).change
    var story = Story()
    story.happen(.took(.undo, change))
    #expect(story.desk.report?.text.contains("Undone: photos: read for backup, allowed forever") == true)
    #expect(story.grid.picture.contains("U redoes it"))
    story.happen(.took(.redo, change))
    #expect(story.grid.picture.contains("Redone: photos: read for backup, allowed forever.  u undoes it"))
    story.press("u")
    #expect(story.takeEffects().deeds == [.take(.undo, change.id)])
  }
}
