import Testing

@testable import PermModel

@Suite("A day, looked back on")
struct DayTests {
  private let claude = Subject(label: "claude")

  private func entry(
    _ id: Int64, _ kind: JournalEntry.Kind, _ line: String, at seconds: Int64 = 0, request: String? = nil,
    verdict: Verdict? = nil, text: String? = nil
  ) -> JournalEntry {
    JournalEntry(
      id: id, at: Timestamp(seconds: seconds), kind: kind, subject: claude, capability: "commands",
      atoms: [Atom("commands", "run", .command(line))], request: request.map { Request.ID($0) },
      verdict: verdict, text: text)
  }

  @Test("A request is one row, from its question to its use")
  func oneRow() {
    let day = Day([
      entry(1, .asked, "npm test", at: 10, request: "a"), entry(2, .shown, "npm test", at: 11, request: "a"),
      entry(3, .asked, "rm -rf dist", at: 12, request: "b"),
      entry(4, .answered, "npm test", at: 20, request: "a", verdict: .allow),
      entry(5, .used, "npm test", at: 30, request: "a", text: JournalEntry.failed),
      entry(6, .answered, "rm -rf dist", at: 31, request: "b", verdict: .deny, text: "not that one"),
    ])
    #expect(day.rows.map(\.end) == [.allowed, .denied])
    #expect(day.rows.map(\.at) == [10, 12].map { Timestamp(seconds: $0) })
    #expect(day.rows.map(\.endedAt) == [20, 31].map { Timestamp(seconds: $0) })
    #expect(day.rows.map(\.uses) == [Day.Uses(done: 0, failed: 1), Day.Uses()])
    #expect(day.rows.map(\.text) == [nil, "not that one"])
  }

  @Test("Uses of what a rule allowed belong to the row with that value")
  func rules() {
    var rule = entry(1, .automatic, "git log", verdict: .allow, text: "decided before")
    rule.values = ["git log", "git status"].map { Atom("commands", "run", .command($0)) }
    rule.count = 5
    var use = entry(3, .used, "git status", text: JournalEntry.done)
    use.values = [Atom("commands", "run", .command("git status"))]
    use.count = 2
    let other = entry(2, .automatic, "ls", verdict: .allow)
    let day = Day([rule, other, use])
    #expect(day.rows.map(\.end) == [.allowedByRule, .allowedByRule])
    #expect(day.rows.map(\.uses.done) == [2, 0])
    #expect(day.rows[0].values.count == 2)
  }

  @Test("Every way to end has its own word, and what ended unanswered was missed")
  func ends() {
    let day = Day([
      entry(1, .asked, "a", request: "a"), entry(2, .timedOut, "a", request: "a"),
      entry(3, .asked, "b", request: "b"),
      entry(4, .withdrawn, "b", request: "b", text: RequestEnd.answeredInAgent),
      entry(5, .asked, "c", request: "c"), entry(6, .automatic, "c", request: "c", verdict: .deny),
      entry(7, .asked, "d", request: "d"), entry(8, .dismissed, "e", request: "e"),
    ])
    #expect(day.rows.map(\.end) == [.gaveUp, .inAgent, .deniedByRule, .waiting, .dismissed])
    let total = day.programs { _ in 7 }[0]
    #expect([total.total.asked, total.total.byRule, total.total.denied, total.total.missed] == [2, 0, 1, 2])
    #expect(total.hours[7] == total.total)
  }

  @Test("A hundred thousand entries make their rows in time that grows with their number")
  func many() {
    var day = Day()
    for number in 0..<100_000 {
      day.add(entry(Int64(number), .asked, "ls", request: "r\(number)"))
      day.add(entry(Int64(number), .answered, "ls", request: "r\(number)", verdict: .allow))
    }
    #expect(day.rows.count == 100_000)
    #expect(day.rows.allSatisfy { $0.end == .allowed })
  }
}
