import PermModel
import Testing

@testable import PermTUI

@Suite("Allows that no program used for 90 days")
struct UnusedTests {
  private static func decision(
    _ label: String, _ verdict: Verdict = .allow, decided: Int64, used: Int64? = nil
  ) -> Decision {
    func ago(_ days: Int64) -> Timestamp { Timestamp(seconds: Story.start.seconds - days * 86_400) }
    return Decision(
      subject: Subject(label: label, path: "/usr/bin/\(label)"), atom: Atom("photos", "read"),
      verdict: verdict,
      lifetime: .forever, origin: .commandLine, decidedAt: ago(decided), lastUsed: used.map(ago))
  }

  private static let decisions = [
    decision("never", decided: 91), decision("long-ago", decided: 300, used: 100),
    decision("lately", decided: 300, used: 89), decision("new", decided: 3),
    decision("denied", .deny, decided: 300),
  ]

  @Test("are listed, and exactly those are forgotten after a yes, so that u brings them back")
  func forgetting() throws {
    var story = Story(data: Samples.data(decisions: Self.decisions))
    story.press("p", "z")
    let confirmation = try #require(story.desk.form?.confirmation)
    #expect(confirmation.title == "Forget the 2 allows that no program used for 90 days?")
    let lines = confirmation.message.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("never used") && lines[1].contains("last used"))
    _ = story.takeEffects()
    story.wait(1_000)
    story.strike("y")
    let ids = Self.decisions.prefix(2).map {
      DecisionRow.ID(subject: $0.subject, capability: "photos", atoms: [$0.atom])
    }
    let limit = Timestamp(seconds: Story.start.seconds - Decision.unusedAfter)
    guard case .forgetUnused(let forgotten, since: let since)? = story.takeEffects().deeds.first else {
      Issue.record("nothing is forgotten")
      return
    }
    #expect(forgotten == ids && since.seconds >= limit.seconds)
    #expect(story.desk.report?.isUndoable == true)
  }

  @Test("are not there, and nothing is asked")
  func none() {
    var story = Story(data: Samples.data(decisions: Array(Self.decisions.dropFirst(2))))
    story.press("p", "z")
    #expect(story.desk.form == nil)
    #expect(story.desk.report?.text == "Each allow was used, or made, in the last 90 days.")
  }

  @Test("are one change of the store, which leaves out what was used meanwhile")
  func storing() throws {
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    try store.importDecisions(Self.decisions, by: .commandLine)
    let limit = Timestamp(seconds: Story.start.seconds - Decision.unusedAfter)
    let forgotten = try store.forget(
      Self.decisions.prefix(3).map(\.key), unusedSince: limit, by: .commandLine)
    #expect(Set(forgotten.map(\.subject.label)) == ["never", "long-ago"])
    try store.take(.undo, by: .commandLine)
    #expect(try store.decisions().count == Self.decisions.count)
  }
}
