import Machine
import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The view of the day")
struct DayViewTests {
  private static let claude = Subject(label: "claude", path: "/usr/bin/claude")
  private static let midnight: Int64 = 1_791_936_000

  private static func entry(
    _ id: Int64, _ kind: JournalEntry.Kind, _ line: String, at time: (Int64, Int64), request: String? = nil,
    by subject: Subject = claude, verdict: Verdict? = nil, text: String? = nil
  ) -> JournalEntry {
    JournalEntry(
      id: id, at: Timestamp(seconds: midnight + time.0 * 3600 + time.1 * 60), kind: kind, subject: subject,
      capability: "commands", atoms: [Atom("commands", "run", .command(line))],
      request: request.map { Request.ID($0) }, verdict: verdict, text: text)
  }

  static var day: Day {
    var rule = entry(3, .automatic, "git status", at: (9, 12), verdict: .allow, text: "decided before")
    rule.count = 40
    let backup = Subject(label: "backup", path: "/home/ana/bin/backup.sh")
    var answer = entry(2, .answered, "npm test", at: (9, 6), request: "a", verdict: .allow)
    answer.origin = .dashboard(id: Samples.here)
    var denial = entry(
      5, .answered, "git push --force origin main", at: (11, 31), request: "b", verdict: .deny)
    denial.origin = .dashboard(id: Samples.here)
    return Day([
      entry(1, .asked, "npm test", at: (9, 5), request: "a"), answer, rule,
      entry(4, .asked, "git push --force origin main", at: (11, 30), request: "b"), denial,
      entry(6, .used, "npm test", at: (11, 40), request: "a", text: JournalEntry.failed),
      entry(7, .asked, "tar -cf /mnt/nas/photos.tar Pictures", at: (13, 0), request: "c", by: backup),
      entry(8, .timedOut, "tar -cf /mnt/nas/photos.tar Pictures", at: (13, 10), request: "c", by: backup),
    ])
  }

  private static func story(width: Int = 80, height: Int = 24) -> Story {
    var story = Story(width: width, height: height)
    story.press("t")
    story.happen(.changed(data(story.desk.today)))
    return story
  }

  static func data(_ number: DayNumber, _ day: Day = day) -> DashboardData {
    var data = Samples.data
    data.day = DayPage(day, of: number) { Int(($0.seconds - midnight) / 3600) }
    return data
  }

  @Test("is read in plain mode, program by program and with one line a request")
  func plain() {
    var story = PlainStory(data: Samples.data)
    story.enter("day")
    _ = story.takePaper()
    story.happen(.changed(Self.data(story.dashboard.desk.today)))
    let paper = story.takePaper()
    #expect(paper.contains("claude: "))
    #expect(paper.contains("09:05: $ npm test: allowed"), "\(paper)")
    #expect(paper.contains("13:00: $ tar -cf /mnt/nas/photos.tar Pictures: "), "\(paper)")
    story.happen(.changed(Self.data(story.dashboard.desk.today)))
    #expect(!story.takePaper().contains("npm test"))
  }

  @Test(
    "shows the hours of each program as bars, and what became of each request",
    arguments: [(60, 15), (80, 24), (200, 60)])
  func pictures(width: Int, height: Int) throws {
    var story = Self.story(width: width, height: height)
    try Golden.check(story.grid.picture, "day/\(width)x\(height)")
    story.press(.enter, "j", "j", "j")
    try Golden.check(story.grid.picture, "day/unfolded-\(width)x\(height)")
  }

  @Test("shows at least forty characters of each value at 80 columns, also beside a report of its use")
  func valueFirst() {
    var story = Story()
    story.press("t")
    let line = "npm test -- --reporter=verbose tests/login.test.ts -t expiry"
    let day = Day([
      Self.entry(1, .asked, line, at: (9, 5), request: "a"),
      Self.entry(2, .answered, line, at: (9, 6), request: "a", verdict: .allow),
      Self.entry(3, .used, line, at: (9, 7), request: "a", text: JournalEntry.done),
    ])
    story.happen(.changed(Self.data(story.desk.today, day)))
    story.press(.enter)
    #expect(story.grid.picture.contains("$ \(line.prefix(32))"), "\(story.grid.picture)")
    var rule = Self.entry(7, .automatic, "git status", at: (9, 7), verdict: .allow, text: "decided before")
    rule.count = 40
    let unused = Day([
      Self.entry(1, .asked, line, at: (9, 5), request: "a"),
      Self.entry(2, .answered, line, at: (9, 6), request: "a", verdict: .allow),
      rule, Self.entry(8, .asked, "git push", at: (9, 8), request: "b"),
      Self.entry(9, .answered, "git push", at: (9, 9), request: "b", verdict: .deny),
    ])
    story.happen(.changed(Self.data(story.desk.today, unused)))
    #expect(story.grid.picture.contains("$ \(line.prefix(40))"), "\(story.grid.picture)")
    #expect(!story.grid.picture.contains("Used"))
  }

  @Test("unfolds a program to one row for each request, and folds it again")
  func unfolding() {
    var story = Self.story()
    let folded = story.state.list.rows
    #expect(folded.count == 2)
    story.press(.enter)
    #expect(story.state.list.rows.dropFirst().dropLast() == [.journal(1), .journal(3), .journal(4)])
    story.press(.enter)
    #expect(story.state.list.rows == folded)
  }

  @Test("searches all requests, also of programs that are folded")
  func searching() {
    var story = Self.story()
    story.press("/", "f", "o", "r", "c", "e", .enter)
    #expect(story.state.list.rows == [.journal(4)])
    story.press(.enter)
    #expect(story.state.screen == .program(Self.claude))
  }

  @Test("reads the day that is open, and no other")
  func otherDays() {
    var story = Story()
    let today = story.desk.today
    #expect(story.state.needs.day == nil)
    story.press("t")
    #expect(story.state.needs.day == today)
    story.happen(.changed(Self.data(today)))
    story.press(.left, .left)
    #expect(story.state.needs.day == DayNumber(today.value - 2))
    #expect(story.state.list.rows.isEmpty && story.grid.picture.description.contains("Reading…"))
    story.happen(.changed(Self.data(DayNumber(today.value - 2), Day())))
    #expect(story.grid.picture.description.contains("No program asked on this day."))
    story.press(.right, .right, .right)
    #expect(
      story.state.needs.day == today && story.grid.picture.description.contains("No later day has begun."))
    story.press(.escape)
    #expect(story.state.needs.day == nil)
  }

  @Test("copies the values of a request")
  func copying() {
    var story = Self.story()
    story.press(.enter, "j")
    _ = story.takeEffects()
    story.press("Y")
    #expect(story.takeEffects().contains(.copy("npm test")))
  }
}
