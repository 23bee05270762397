import PermBroker
import PermModel
import Testing

@testable import PermTUI

@Suite("Waiting requests, line by line")
struct PlainWaitingTests {
  @Test("A request that was set aside is listed among the operations with the words that show it")
  func setAside() {
    var story = PlainStory(data: Samples.data(decisions: [], waiting: Samples.waiting.map(Samples.item)))
    story.show(Samples.pending(Samples.waiting[1], in: Samples.data).alert)
    story.enter("later")
    _ = story.takePaper()
    story.enter("operations")
    let paper = story.takePaper()
    #expect(paper.contains("set aside; the words answer 2 show it"), "\(paper)")
    #expect(!paper.contains("Enter"))
  }

  @Test("The result of undo comes before the next prompt")
  func undo() {
    var story = PlainStory()
    _ = story.takePaper()
    story.enter("undo")
    #expect(!story.takePaper().contains("Command:"))
    story.happen(.took(.undo, HistoryTests.preview(by: .commandLine, at: Story.start).change))
    let paper = story.takePaper()
    #expect(paper.hasPrefix("Undone: ") && paper.hasSuffix("Command: "), "\(paper)")
    story.enter("redo")
    _ = story.takePaper()
    story.happen(.reported(Report(text: "There is nothing to redo.")))
    #expect(story.takePaper() == "There is nothing to redo.\nCommand: ")
  }

  @Test("The answers that were kept together are undone together")
  func undoTogether() {
    var story = PlainStory()
    story.happen(.reported(Report(text: "Denied 2 of 2.", isUndoable: true, changes: [7, 8])))
    _ = story.takeEffects()
    story.enter("undo")
    #expect(story.takeEffects() == [.takeAll(.undo, [7, 8])])
    story.happen(.reported(Report(text: "These changes were undone meanwhile.")))
    story.enter("undo")
    #expect(story.takeEffects() == [.find(.undo)])
  }
}
