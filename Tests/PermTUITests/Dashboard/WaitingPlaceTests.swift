import PermBroker
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The place of a waiting request")
struct WaitingPlaceTests {
  private let alert: Alert = {
    let alert = Samples.alert()
    guard case .request(var content) = alert.content else { return alert }
    content.joined = [JoinedRequest(id: Request.ID("joined"))]
    return Alert(id: alert.id, content: .request(content))
  }()

  /// Returns a story in which the same program asks for the same again, and shares the alert.
  private func storyWithJoined() throws -> (story: Story, joined: WaitingRow) {
    guard case .request(let content) = alert.content else { throw CancellationError() }
    let asked = content.request
    let joined = Samples.item(
      Request(
        id: Request.ID("joined"), subject: asked.subject, capability: asked.capability, atoms: asked.atoms,
        askedAt: asked.askedAt))
    return (Story(data: Samples.data(decisions: [], waiting: [joined])), joined)
  }

  @Test("is that of the alert which it shares, and Enter opens the request alone")
  func shared() throws {
    var (story, joined) = try storyWithJoined()
    story.show(alert)
    #expect(story.desk.place(of: joined) == .onScreen)
    story.press(.escape)
    #expect(story.desk.place(of: joined) == .setAside)
    story.press("w")
    _ = story.takeEffects()
    story.press("g", .enter)
    #expect(story.desk.form?.isPicked == true)
    #expect(story.desk.form?.request?.request == joined.request)
  }

  @Test("is the terminal on which its program asks, which is named")
  func onTerminal() throws {
    var (_, joined) = try storyWithJoined()
    joined.terminal = "pts/2"
    var story = Story(data: Samples.data(decisions: [], waiting: [joined]))
    #expect(story.desk.place(of: joined) == .onTerminal)
    story.press("w")
    #expect(story.grid.picture.contains("on pts/2"))
    story.press(.enter)
    #expect(story.desk.form?.request?.request == joined.request)
  }

  @Test("is in line where the same is asked again after the alert came on the screen")
  func later() {
    let shown = Samples.alert()
    guard case .request(let content) = shown.content else {
      Issue.record("no request: \(shown.content)")
      return
    }
    let asked = content.request
    let later = Samples.item(
      Request(
        id: Request.ID("later"), subject: asked.subject, capability: asked.capability, atoms: asked.atoms,
        reason: asked.reason, suggestedLifetime: asked.suggestedLifetime, askedAt: asked.askedAt,
        evidence: asked.evidence))
    var story = Story(data: Samples.data(decisions: [], waiting: [later]))
    story.show(shown)
    #expect(story.desk.place(of: later) == .inLine)
  }

  @Test("is in a line without the request that was just answered, though the store still has it")
  func answered() {
    let requests = ["one", "two", "three"].map { Samples.request($0, "photos", Samples.today(14, 3)) }
    var story = Story(data: Samples.loaded(waiting: requests))
    let alerts = requests.map { Samples.pending($0, in: story.desk.data).alert }
    alerts.forEach { story.present($0) }
    story.wait(1_200)
    for left in [3, 2] {
      #expect(story.desk.form?.lineLength == left)
      story.strike("d")
      // The next alert comes up before the store has closed the request.
      story.wait(1_200)
      #expect(story.desk.form?.lineLength == left - 1)
      story.happen(.changed(Samples.loaded(waiting: Array(requests.suffix(left - 1)))))
    }
  }

  @Test("is another dashboard where it is not here, and Enter opens it nevertheless")
  func elsewhere() throws {
    var (_, joined) = try storyWithJoined()
    joined.isElsewhere = true
    var story = Story(data: Samples.data(decisions: [], waiting: [joined]))
    #expect(story.desk.place(of: joined) == .elsewhere)
    story.press("w", .enter)
    #expect(story.desk.form?.request?.request == joined.request)
  }
}
