import PermBroker
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The counts of what waits")
struct QueueCountTests {
  private func data(_ items: [WaitingRow]) -> DashboardData { Samples.data(decisions: [], waiting: items) }

  @Test("An alert's number agrees with the header after a question was answered, before its item is gone")
  func question() {
    let items = Samples.waiting.map(Samples.item)
    let question = WaitingRow(Samples.confirmation, at: Story.start)
    var story = Story(data: data([question] + items))
    story.show(Samples.confirmation)
    #expect(story.grid.picture.contains("Question 1 of 3"))
    story.present(Samples.pending(Samples.waiting[0], in: Samples.data).alert)
    story.strike("y")
    story.wait(1_000)
    #expect(story.grid.picture.contains("Request 1 of 2"))
    #expect(story.grid.picture.lines[0].contains(" 2 waiting"))
    story.happen(.changed(data(items)))
    #expect(story.grid.picture.contains("Request 1 of 2"))
  }

  @Test(
    "The header says what is blocked, with the connection before it only if there is one",
    arguments: ["", "listening"])
  func blocked(connection: String) {
    var data = data(Samples.waiting.map(Samples.item))
    data.connection = connection
    let story = Story(width: 120, height: 30, data: data)
    let before = connection.isEmpty ? "   " : "listening; "
    let name = Samples.waiting[1].subject.name
    #expect(
      story.grid.picture.lines[0].contains("\(before)\(name) blocked since"), "\(story.grid.picture.lines[0])"
    )
  }

  @Test("An alert's number stays while it is read, although further requests come, which the header counts")
  func stays() {
    var story = Story(data: data([Samples.item(Samples.waiting[0])]))
    story.show(Samples.pending(Samples.waiting[0], in: Samples.data).alert)
    #expect(story.grid.picture.contains("─ Request ─"))
    story.happen(.changed(data((Samples.waiting + [Samples.queue[2]]).map(Samples.item))))
    #expect(story.grid.picture.contains("─ Request ─"))
    #expect(story.grid.picture.lines[0].contains(" 3 waiting"))
  }

  @Test("A request that asks the same as an alert waits with it only until the alert is on the screen")
  func shared() {
    let first = Samples.waiting[0]
    var other = Samples.item(
      Request(
        id: Request.ID("other"), subject: first.subject, capability: first.capability, atoms: first.atoms,
        reason: first.reason, suggestedLifetime: first.suggestedLifetime, askedAt: first.askedAt,
        evidence: first.evidence, details: first.details, facts: first.facts))
    other.isElsewhere = true
    var story = Story(data: data([Samples.item(first), other]))
    let alert = Samples.pending(first, in: Samples.data).alert
    story.strike("j")
    story.present(alert)
    #expect(story.desk.form == nil && story.desk.place(of: other) == .inLine)
    story.wait(1_000)
    #expect(story.desk.form?.alertID == alert.id && story.desk.place(of: other) == .elsewhere)
  }

  @Test("A request that was answered here is not named as the next one, line by line either")
  func answered() {
    var story = PlainStory(data: data(Samples.waiting.map(Samples.item)))
    story.show(Samples.pending(Samples.waiting[0], in: Samples.data).alert)
    _ = story.takePaper()
    story.enter("deny")
    story.show(Samples.pending(Samples.waiting[1], in: Samples.data).alert)
    let paper = story.takePaper()
    #expect(paper.contains("Name: \"report.py\"") && !paper.contains("Next:"), "\(paper)")
  }

  @Test("A request whose answer did not count is counted again")
  func refused() {
    var story = Story(data: data(Samples.waiting.map(Samples.item)))
    story.show(Samples.pending(Samples.waiting[0], in: Samples.data).alert)
    story.strike("d")
    #expect(story.desk.waitingCount == 1)
    story.wait(10_000)
    #expect(story.desk.waitingCount == 2)
    story.show(Samples.pending(Samples.waiting[0], in: Samples.data).alert)
    story.strike("d")
    story.happen(.reported(Report(text: "The disk is full.", isError: true)))
    #expect(story.desk.waitingCount == 2)
  }
}
